// SPDX-License-Identifier: Apache-2.0
// Whether a value keeps to a JSON schema: the part of draft-07 that ours uses. A schema with
// another keyword is an error, so that nothing goes unchecked.
#pragma once

#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>

#include "program/scenario/value.hpp"

namespace posse::test {

using SchemaJson = nlohmann::ordered_json;

/// A scenario file's tree as JSON.
inline SchemaJson json_of(const Value& value) {
  if (const auto* table = value.table()) {
    auto json = SchemaJson::object();
    for (const auto& [key, entry] : *table) json[key] = json_of(entry);
    return json;
  }
  if (const auto* array = value.array()) {
    auto json = SchemaJson::array();
    for (const auto& entry : *array) json.push_back(json_of(entry));
    return json;
  }
  if (const auto* text = std::get_if<std::string>(&value.data)) return *text;
  if (const auto* whole = std::get_if<std::int64_t>(&value.data)) return *whole;
  if (const auto* real = std::get_if<double>(&value.data)) return *real;
  if (const auto* truth = std::get_if<bool>(&value.data)) return *truth;
  return nullptr;
}

class JsonSchema {
 public:
  explicit JsonSchema(SchemaJson root) : root_(std::move(root)) {}

  /// The first mistake, or "".
  std::string problem(const SchemaJson& value) const { return problem(root_, value, ""); }

 private:
  static bool has_type(const SchemaJson& value, const std::string& type) {
    if (type == "object") return value.is_object();
    if (type == "array") return value.is_array();
    if (type == "string") return value.is_string();
    if (type == "boolean") return value.is_boolean();
    if (type == "integer") return value.is_number_integer();
    return type == "number" && value.is_number();
  }

  std::string problem(const SchemaJson& schema,
                      const SchemaJson& value,
                      const std::string& at) const {
    for (const auto& [keyword, rule] : schema.items()) {
      const auto found = keyword_problem(schema, keyword, rule, value, at);
      if (!found.empty()) return found;
    }
    return "";
  }
  bool holds(const SchemaJson& schema, const SchemaJson& value) const {
    return problem(schema, value, "").empty();
  }

  std::string keyword_problem(const SchemaJson& schema,
                              const std::string& keyword,
                              const SchemaJson& rule,
                              const SchemaJson& value,
                              const std::string& at) const {
    const auto failed = [&](bool good) {
      return good ? std::string() : at + ": " + keyword + " of " + value.dump().substr(0, 100);
    };
    if (keyword == "$schema" || keyword == "title" || keyword == "description" ||
        keyword == "definitions" || keyword == "then")
      return "";
    if (keyword == "$ref")
      return problem(
          root_.at(SchemaJson::json_pointer(rule.get<std::string>().substr(1))), value, at);
    if (keyword == "type") {
      const auto types = rule.is_array() ? rule : SchemaJson::array({rule});
      return failed(std::any_of(
          types.begin(), types.end(), [&](const auto& type) { return has_type(value, type); }));
    }
    if (keyword == "const") return failed(value == rule);
    if (keyword == "enum") return failed(std::find(rule.begin(), rule.end(), value) != rule.end());
    if (keyword == "not") return failed(!holds(rule, value));
    if (keyword == "anyOf")
      return failed(
          std::any_of(rule.begin(), rule.end(), [&](const auto& s) { return holds(s, value); }));
    if (keyword == "allOf") {
      for (const auto& each : rule)
        if (const auto found = problem(each, value, at); !found.empty()) return found;
      return "";
    }
    if (keyword == "if") return holds(rule, value) ? problem(schema.at("then"), value, at) : "";
    if (keyword == "pattern")
      return failed(!value.is_string() || std::regex_search(value.get<std::string>(),
                                                            std::regex(rule.get<std::string>())));
    if (keyword == "minimum") return failed(!value.is_number() || value >= rule);
    if (keyword == "maximum") return failed(!value.is_number() || value <= rule);
    if (keyword == "exclusiveMinimum") return failed(!value.is_number() || value > rule);
    if (keyword == "exclusiveMaximum") return failed(!value.is_number() || value < rule);
    if (keyword == "minItems") return failed(!value.is_array() || value.size() >= rule);
    if (keyword == "items") {
      if (!value.is_array()) return "";
      for (std::size_t i = 0; i < value.size(); ++i)
        if (const auto found = problem(rule, value[i], at + "." + std::to_string(i));
            !found.empty())
          return found;
      return "";
    }
    if (keyword == "required") {
      for (const auto& key : rule)
        if (value.is_object() && !value.contains(key.get<std::string>()))
          return at + ": required " + key.get<std::string>();
      return "";
    }
    if (keyword == "propertyNames") {
      if (!value.is_object()) return "";
      for (const auto& [key, entry] : value.items())
        if (const auto found = problem(rule, key, at + "." + key); !found.empty()) return found;
      return "";
    }
    if (keyword == "properties" || keyword == "patternProperties" ||
        keyword == "additionalProperties")
      return keyword == "properties" || !schema.contains("properties") ? members(schema, value, at)
                                                                       : "";
    FAIL("the schema has the keyword " << keyword);
    return "";
  }

  std::string members(const SchemaJson& schema,
                      const SchemaJson& value,
                      const std::string& at) const {
    if (!value.is_object()) return "";
    for (const auto& [key, entry] : value.items()) {
      const auto path = at + "." + key;
      bool known = false;
      if (schema.contains("properties") && schema["properties"].contains(key)) {
        known = true;
        if (auto found = problem(schema["properties"][key], entry, path); !found.empty())
          return found;
      }
      if (schema.contains("patternProperties"))
        for (const auto& [pattern, rule] : schema["patternProperties"].items())
          if (std::regex_search(key, std::regex(pattern))) {
            known = true;
            if (auto found = problem(rule, entry, path); !found.empty()) return found;
          }
      if (known || !schema.contains("additionalProperties")) continue;
      const auto& other = schema["additionalProperties"];
      if (other.is_boolean()) {
        if (!other) return path + ": unknown key";
      } else if (auto found = problem(other, entry, path); !found.empty()) {
        return found;
      }
    }
    return "";
  }

  SchemaJson root_;
};

}  // namespace posse::test
