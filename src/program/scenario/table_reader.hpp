// SPDX-License-Identifier: Apache-2.0
// Reads one table of a scenario strictly: unknown keys are errors.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/parameters.hpp"
#include "core/base/time.hpp"
#include "program/scenario/diagnostics.hpp"
#include "program/scenario/input_files.hpp"
#include "program/scenario/schema.hpp"
#include "program/scenario/value.hpp"

namespace posse {

/// The problem of a key that no reader asks for.
inline constexpr std::string_view kUnknownKey = "unknown key";

/// Getters return nothing if the key is absent or wrong (the error is then collected) and mark the
/// key as known; `finish` reports all unknown keys with the nearest known name.
class TableReader {
 public:
  /// `path` is the table's key path, "" for the file itself. A value that is not a table is an
  /// error and reads as an empty one. Of a section of the schema, only keys can be read that it
  /// has.
  TableReader(const Value& value, std::string path, Diagnostics& diagnostics);
  /// A table of another file than a scenario; `section` may be null.
  TableReader(const Value& value,
              std::string path,
              const SectionSpec* section,
              Diagnostics& diagnostics);

  const SourceLocation& location() const { return location_; }
  const std::string& path() const { return path_; }
  std::string path_of(std::string_view key) const;
  /// The table's section, which must be one of the schema's.
  const SectionSpec& section() const;
  /// Whether an error with the key was reported.
  bool is_wrong(std::string_view key) const { return wrong_.contains(key); }
  bool has(std::string_view key) const { return table_->find(key) != table_->end(); }
  /// The raw value; marks the key as known.
  const Value* find(std::string_view key);

  std::optional<std::string> text(std::string_view key);
  /// Without choices or a range: those of the schema.
  std::optional<std::string> choice(std::string_view key);
  /// `also`: what else is allowed, for the message.
  std::optional<std::string> choice(std::string_view key,
                                    const std::vector<std::string>& choices,
                                    std::string_view also = {});
  std::optional<bool> boolean(std::string_view key);
  std::optional<std::int64_t> integer(std::string_view key);
  std::optional<std::int64_t> integer(std::string_view key, std::int64_t min, std::int64_t max);
  std::optional<double> real(std::string_view key);
  std::optional<double> real(std::string_view key, double min, double max);
  std::optional<double> probability(std::string_view key) { return real(key, 0, 1); }
  /// A number, or a list of numbers.
  std::optional<std::vector<double>> numbers(std::string_view key, double min, double max);
  /// Above 0 if the schema says so.
  std::optional<Duration> duration(std::string_view key);
  std::optional<std::uint64_t> size(std::string_view key);
  std::optional<double> rate(std::string_view key);
  /// The elements of a list of tables.
  std::vector<Value> tables(std::string_view key);

  /// All parameters of a component: given ones checked against their specs, others at default.
  /// `files` reads those that are files; null if there are none.
  Parameters parameters(const std::vector<ParameterSpec>& specs, InputFiles* files = nullptr);

  /// Reports a problem with a key (or the table itself, key ""), at the key's line.
  void error(std::string_view key,
             std::string problem,
             std::string allowed = "",
             std::string nearest = "");
  void require(std::string_view key, std::string allowed);
  /// Reports unknown keys.
  void finish();

 private:
  template <class T, class Parse>
  std::optional<T> with_unit(std::string_view key, Parse parse, std::string_view units);

  /// The key's row in the schema, which must be of this type.
  const KeySpec& spec(std::string_view key, KeyType type) const;

  Diagnostics& diagnostics_;
  std::string path_;
  const SectionSpec* section_;  // null: the table is none of the schema's
  SourceLocation location_;
  const Table* table_;
  std::set<std::string, std::less<>> known_, wrong_;
};

/// "above 0, at most 1", for help and errors.
std::string range_text(const ParameterSpec& spec);
/// A parameter's value as TOML, "auto" for monostate.
std::string format_value(const ParameterSpec& spec, const ParameterValue& value);
/// A TOML basic string.
std::string toml_string(std::string_view text);
/// The shortest decimal that reads back as the same double, with a point or an exponent.
std::string format_real(double value);

}  // namespace posse
