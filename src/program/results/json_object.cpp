// SPDX-License-Identifier: Apache-2.0
#include "program/results/json_object.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "program/base/files.hpp"

namespace posse {
namespace fs = std::filesystem;

namespace {

/// How deeply brackets are nested, outside strings. (The parser can ask a function at each level,
/// but then takes time that grows with the square of a list's length.)
int depth_of(std::string_view json) {
  int depth = 0, deepest = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (in_string) {
      if (c == '\\') ++i;
      in_string = c != '"';
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[') {
      deepest = std::max(deepest, ++depth);
    } else if (c == '}' || c == ']') {
      --depth;
    }
  }
  return deepest;
}

}  // namespace

Json read_json(const fs::path& path) {
  constexpr int kDeepest = 64;
  const std::string text = read_file(path);
  if (depth_of(text) > kDeepest) throw FileError(path, "is nested too deeply");
  Json json;
  try {
    json = Json::parse(text);
  } catch (const Json::exception& problem) {
    throw FileError(path, fmt::format("is not valid JSON: {}", problem.what()));
  }
  if (!json.is_object()) throw FileError(path, "is not a JSON object");
  return json;
}

JsonObject::JsonObject(fs::path path, std::string at, const Json& json)
    : path_(std::move(path)), at_(std::move(at)), json_(&json) {
  if (!json.is_object()) throw FileError(path_, fmt::format("{} is not an object", at_));
}

std::string JsonObject::place_of(std::string_view key) const {
  return fmt::format("{}{}{}", at_, at_.empty() ? "" : ".", key);
}

void JsonObject::fail(std::string_view key, std::string_view problem) const {
  throw FileError(path_, fmt::format("{} {}", place_of(key), problem));
}

const Json& JsonObject::member(const char* key) const {
  const auto value = json_->find(key);
  if (value == json_->end()) fail(key, "is missing");
  return *value;
}

bool JsonObject::has(const char* key) const {
  const auto value = json_->find(key);
  return value != json_->end() && !value->is_null();
}

bool JsonObject::is_number(const char* key) const { return member(key).is_number(); }

std::string JsonObject::text(const char* key) const {
  const Json& value = member(key);
  if (!value.is_string()) fail(key, "is not a string");
  return value.get<std::string>();
}

double JsonObject::number(const char* key) const {
  const Json& value = member(key);
  if (!value.is_number()) fail(key, "is not a number");
  return value.get<double>();
}

double JsonObject::extended_number(const char* key) const {
  const Json& value = member(key);
  for (const double special : {std::numeric_limits<double>::infinity(),
                               -std::numeric_limits<double>::infinity(),
                               std::numeric_limits<double>::quiet_NaN()})
    if (value == number_json(special)) return special;
  return number(key);
}

std::uint32_t JsonObject::count(const char* key) const {
  const Json& value = member(key);
  const double number = value.is_number() ? value.get<double>() : -1;
  if (!(number >= 0 && number <= 4294967295.0) || std::floor(number) != number)
    fail(key, "is not a count");
  return static_cast<std::uint32_t>(number);
}

const Json& JsonObject::list(const char* key) const {
  const Json& value = member(key);
  if (!value.is_array()) fail(key, "is not a list");
  return value;
}

std::vector<JsonObject> JsonObject::objects(const char* key) const {
  std::vector<JsonObject> objects;
  for (const auto& element : list(key))
    objects.emplace_back(path_, fmt::format("{}[{}]", place_of(key), objects.size()), element);
  return objects;
}

JsonObject JsonObject::object(const char* key) const { return {path_, place_of(key), member(key)}; }

Json JsonObject::optional_list(const char* key) const {
  return has(key) ? list(key) : Json::array();
}

Json JsonObject::optional_object(const char* key, const Json& otherwise) const {
  return has(key) ? *object(key).json_ : otherwise;
}

Json JsonObject::optional_number(const char* key, Json otherwise) const {
  if (!has(key)) return otherwise;
  number(key);
  return member(key);  // a whole number stays one
}

std::string JsonObject::optional_text(const char* key) const { return has(key) ? text(key) : ""; }

bool JsonObject::optional_flag(const char* key) const {
  if (!has(key)) return false;
  if (!member(key).is_boolean()) fail(key, "is not true or false");
  return member(key).get<bool>();
}

Datum JsonObject::optional_datum(const char* key, ColumnType type) const {
  if (!has(key)) return {};
  switch (type) {
    case ColumnType::flag:
      return optional_flag(key);
    case ColumnType::count:
      return std::uint64_t{count(key)};
    case ColumnType::real:
      return number(key);
    case ColumnType::text:
      break;
  }
  return text(key);
}

}  // namespace posse
