// SPDX-License-Identifier: Apache-2.0
// Objects in JSON files. Errors are FileErrors that name the file and the key.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "program/base/data_table.hpp"
#include "program/results/results_json.hpp"

namespace posse {

/// Reads a file whose content is one JSON object. Objects and lists nested deeper than 64 are
/// errors: Posse writes none, and recursion over them could overflow the stack.
Json read_json(const std::filesystem::path& path);

/// Checked access to the members of an object. Refers to the object.
class JsonObject {
 public:
  /// `at` is the object's place in the file, as in "runs[0]"; empty for the root.
  JsonObject(std::filesystem::path path, std::string at, const Json& json);

  // Members that must be there.
  std::string text(const char* key) const;
  double number(const char* key) const;
  /// A number, or one of the strings that stand for infinity and NaN.
  double extended_number(const char* key) const;
  std::uint32_t count(const char* key) const;
  const Json& list(const char* key) const;
  /// The elements of a list of objects.
  std::vector<JsonObject> objects(const char* key) const;
  JsonObject object(const char* key) const;

  /// False if the member is missing or null.
  bool has(const char* key) const;
  /// False for the strings that stand for infinity and NaN.
  bool is_number(const char* key) const;
  // Members that may be missing or null, with the value to use then.
  Json optional_list(const char* key) const;
  Json optional_object(const char* key, const Json& otherwise) const;
  Json optional_number(const char* key, Json otherwise) const;
  std::string optional_text(const char* key) const;
  bool optional_flag(const char* key) const;
  Datum optional_datum(const char* key, ColumnType type) const;

  [[noreturn]] void fail(std::string_view key, std::string_view problem) const;

 private:
  const Json& member(const char* key) const;
  std::string place_of(std::string_view key) const;

  std::filesystem::path path_;
  std::string at_;
  const Json* json_;
};

}  // namespace posse
