// SPDX-License-Identifier: Apache-2.0
// A scenario file as a tree of values with their source locations.
//
// Scenarios are read from this tree instead of the TOML library's, so that `--set` and the
// environment can replace values and errors name the location of the value.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace posse {

class Diagnostics;

/// The location of a value: a file and its line, or a flag (line 0).
struct SourceLocation {
  std::string file;
  std::uint32_t line = 0;
  std::string text() const { return line == 0 ? file : file + ":" + std::to_string(line); }
};

struct Value;
using Array = std::vector<Value>;
using Table = std::map<std::string, Value, std::less<>>;
struct DateOrTime {};  // valid TOML, but not used in scenarios

struct Value {
  SourceLocation location;
  std::variant<Table, Array, std::string, std::int64_t, double, bool, DateOrTime> data;

  const Table* table() const { return std::get_if<Table>(&data); }
  const Array* array() const { return std::get_if<Array>(&data); }
};

/// A shortened form for "given …" in errors.
std::string describe(const Value& value);

/// Levels of tables and lists; scenarios need about seven. Recursion over very deep trees, in the
/// TOML library too, would overflow the stack.
inline constexpr std::size_t kMostLevels = 64;
/// Larger scenario files are refused.
inline constexpr std::size_t kLargestScenarioBytes = 1 << 20;

/// Parses TOML text. A syntax error is reported and gives an empty table.
Value parse_toml(std::string_view text, const std::string& file, Diagnostics& diagnostics);

/// Reads and parses a scenario file; "-" is standard input. Missing, empty, binary, oversized and
/// non-regular files are reported, not thrown.
Value load_toml(const std::string& path, Diagnostics& diagnostics);

/// Sets the value at a path such as `a.b`, with tables on the way as needed. In an array of tables
/// the part after its name is an index from 0, an element's `label` or `kind`, or `*` for all of
/// them. False if the path is not valid.
bool set_value(Value& root, std::string_view path, const Value& value);

/// The value at such a path, or null; of several the first.
const Value* find_value(const Value& root, std::string_view path);

/// What such a path sets, with indexes alone for the elements of arrays.
std::vector<std::string> selected_paths(const Value& root, std::string_view path);

/// Applies `a.b=v`: v is TOML, or a plain string where it isn't; `a.b=` removes the key; paths as
/// in set_value. `origin` ("--set", "environment POSSE_SEED") is the location in errors. Notes if
/// it puts something else in the place of a model, a table with a `kind`.
void apply_override(Value& root,
                    std::string_view assignment,
                    std::string_view origin,
                    Diagnostics& diagnostics);

}  // namespace posse
