// SPDX-License-Identifier: Apache-2.0
#include "program/scenario/value.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include <algorithm>
#include <iostream>
#include <optional>

#include "core/base/shown_text.hpp"
#include "program/base/files.hpp"
#include "program/scenario/diagnostics.hpp"

namespace posse {
namespace {

struct TooDeep {
  std::uint32_t line = 0;
};

/// The position after a quoted text that begins at `at`, or the end of its line if it has no end.
std::size_t after_quoted(std::string_view text, std::size_t at) {
  const char quote = text[at];
  const std::string three(3, quote);
  const bool lines = text.substr(at).starts_with(three);
  for (at += lines ? 3 : 1; at < text.size(); ++at) {
    if (text[at] == '\\' && quote == '"')
      ++at;
    else if (lines ? text.substr(at).starts_with(three) : text[at] == quote)
      return lines ? std::min(text.find_first_not_of(quote, at), text.size()) : at + 1;
    else if (text[at] == '\n' && !lines)
      return at;
  }
  return at;
}

/// Throws TooDeep if a key a.b.c… has more parts than kMostLevels, or brackets are nested deeper.
void check_depth(std::string_view text) {
  std::size_t points = 0, brackets = 0;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '"' || c == '\'') {
      at = after_quoted(text, at);
      continue;
    }
    if (c == '#') at = std::min(text.find('\n', at), text.size() - 1);
    if (c == '[' || c == '{') ++brackets;
    if ((c == ']' || c == '}') && brackets > 0) --brackets;
    if ((c == '.' && ++points >= kMostLevels) || brackets > kMostLevels)
      throw TooDeep{
          static_cast<std::uint32_t>(1 + std::count(text.begin(), text.begin() + at, '\n'))};
    if (std::string_view("=,[]{}#\n").find(c) != std::string_view::npos) points = 0;
    ++at;
  }
}

Value convert(const toml::node& node, const std::string& file, std::size_t depth = 0) {
  if (depth > kMostLevels) throw TooDeep{node.source().begin.line};
  Value value;
  value.location = {file, node.source().begin.line};
  if (const auto* table = node.as_table()) {
    Table out;
    for (const auto& [key, child] : *table)
      out.emplace(std::string(key.str()), convert(child, file, depth + 1));
    // An implicit table has no line: it gets that of its first member.
    if (value.location.line == 0 && !out.empty())
      value.location.line = out.begin()->second.location.line;
    value.data = std::move(out);
  } else if (const auto* array = node.as_array()) {
    Array out;
    for (const auto& child : *array) out.push_back(convert(child, file, depth + 1));
    value.data = std::move(out);
  } else if (const auto text = node.value_exact<std::string>()) {
    value.data = *text;
  } else if (const auto integer = node.value_exact<std::int64_t>()) {
    value.data = *integer;
  } else if (const auto real = node.value_exact<double>()) {
    value.data = *real;
  } else if (const auto boolean = node.value_exact<bool>()) {
    value.data = *boolean;
  } else {
    value.data = DateOrTime{};
  }
  return value;
}

/// Throws toml::parse_error or TooDeep.
Value parse(std::string_view text, const std::string& file) {
  check_depth(text);
  return convert(toml::parse(text), file);
}

std::optional<Value> try_parse(std::string_view text, const std::string& file) {
  try {
    return parse(text, file);
  } catch (const toml::parse_error&) {
    return std::nullopt;
  } catch (const TooDeep&) {
    return std::nullopt;
  }
}

void set_place(Value& value, const SourceLocation& location) {
  value.location = location;
  if (auto* table = std::get_if<Table>(&value.data))
    for (auto& [key, child] : *table) set_place(child, location);
  if (auto* array = std::get_if<Array>(&value.data))
    for (auto& child : *array) set_place(child, location);
}

bool has_text(const Value& element, const char* key, std::string_view text) {
  const auto* table = element.table();
  if (table == nullptr) return false;
  const auto it = table->find(key);
  const auto* value = it == table->end() ? nullptr : std::get_if<std::string>(&it->second.data);
  return value != nullptr && *value == text;
}

bool is_selected(const Value& element, std::size_t position, std::string_view part) {
  return part == "*" || part == std::to_string(position) || has_text(element, "label", part) ||
         has_text(element, "kind", part);
}

/// The elements of an array of tables selected by one part of a path.
std::vector<Value*> select(Array& array, std::string_view part) {
  std::vector<Value*> selected;
  for (std::size_t i = 0; i < array.size(); ++i) {
    if (is_selected(array[i], i, part)) selected.push_back(&array[i]);
  }
  return selected;
}

bool is_too_deep(std::string_view path) {
  return static_cast<std::size_t>(std::count(path.begin(), path.end(), '.')) >= kMostLevels;
}

/// Sets `path` below `node`, or removes it without a value; false if the path is not valid.
bool assign(Value& node, std::string_view path, const Value* value) {
  const auto dot = path.find('.');
  const std::string_view part = path.substr(0, dot);
  const bool last = dot == std::string_view::npos;
  const std::string_view rest = last ? std::string_view{} : path.substr(dot + 1);
  if (part.empty()) return false;
  if (auto* array = std::get_if<Array>(&node.data)) {
    const auto selected = select(*array, part);
    if (last && value == nullptr) {
      for (auto element = selected.rbegin(); element != selected.rend(); ++element)
        array->erase(array->begin() + (*element - array->data()));
      return !selected.empty();
    }
    for (auto* element : selected) {
      if (last)
        *element = *value;
      else if (!assign(*element, rest, value))
        return false;
    }
    return !selected.empty();
  }
  auto* table = std::get_if<Table>(&node.data);
  if (table == nullptr) return false;
  if (value == nullptr) {
    const auto it = table->find(part);
    if (it == table->end()) return false;
    if (!last) return assign(it->second, rest, value);
    table->erase(it);
    return true;
  }
  if (last) {
    table->insert_or_assign(std::string(part), *value);
    return true;
  }
  const auto [it, added] = table->try_emplace(std::string(part));
  if (added) it->second = Value{value->location, Table{}};
  return assign(it->second, rest, value);
}

}  // namespace

std::string describe(const Value& value) {
  struct Visitor {
    std::string operator()(const Table&) const { return "a table"; }
    std::string operator()(const Array&) const { return "a list"; }
    std::string operator()(const std::string& s) const {
      return fmt::format("\"{}\"", shortened(s));
    }
    std::string operator()(std::int64_t i) const { return fmt::format("{}", i); }
    std::string operator()(double d) const { return fmt::format("{}", d); }
    std::string operator()(bool b) const { return b ? "true" : "false"; }
    std::string operator()(DateOrTime) const { return "a date or time"; }
  };
  return std::visit(Visitor{}, value.data);
}

Value parse_toml(std::string_view text, const std::string& file, Diagnostics& diagnostics) {
  const auto reject = [&](std::uint32_t line, std::string problem) {
    diagnostics.add({{file, line}, "", std::move(problem), "", "", ""});
    return Value{{file, 0}, Table{}};
  };
  try {
    return parse(text, file);
  } catch (const toml::parse_error& error) {
    return reject(error.source().begin.line,
                  fmt::format("not valid TOML: {}", error.description()));
  } catch (const TooDeep& deep) {
    return reject(deep.line, fmt::format("is nested deeper than {} levels", kMostLevels));
  }
}

namespace {

/// All of it, which can be read once. Throws FileError if it is longer than scenarios may be.
const std::string& standard_input() {
  static const std::string text = [] {
    std::string all(kLargestScenarioBytes + 1, '\0');
    std::cin.read(all.data(), static_cast<std::streamsize>(all.size()));
    all.resize(static_cast<std::size_t>(std::cin.gcount()));
    if (all.size() > kLargestScenarioBytes)
      throw FileError("-", fmt::format("has more than {} bytes", kLargestScenarioBytes));
    return all;
  }();
  return text;
}

}  // namespace

Value load_toml(const std::string& path, Diagnostics& diagnostics) {
  const auto reject = [&](std::string problem) {
    diagnostics.add({{path, 0}, "", std::move(problem), "", "a scenario file in TOML", ""});
    return Value{{path, 0}, Table{}};
  };
  std::string text;
  try {
    text = path == "-" ? standard_input() : read_file(path, kLargestScenarioBytes);
  } catch (const FileError& error) {
    return reject(error.what());
  }
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) return reject("is empty");
  if (text.find('\0') != std::string::npos) return reject("is a binary file");
  return parse_toml(text, path, diagnostics);
}

bool set_value(Value& root, std::string_view path, const Value& value) {
  return !is_too_deep(path) && assign(root, path, &value);
}

const Value* find_value(const Value& root, std::string_view path) {
  const auto dot = path.find('.');
  const auto part = path.substr(0, dot);
  const Value* next = nullptr;
  if (const auto* table = root.table()) {
    if (const auto it = table->find(std::string(part)); it != table->end()) next = &it->second;
  } else if (const auto* array = root.array()) {
    for (std::size_t i = 0; i < array->size() && next == nullptr; ++i)
      if (is_selected((*array)[i], i, part)) next = &(*array)[i];
  }
  return next == nullptr || dot == path.npos ? next : find_value(*next, path.substr(dot + 1));
}

namespace {

std::string kind_in(const Value& value) {
  const auto* table = value.table();
  const auto it = table == nullptr ? Table::const_iterator{} : table->find("kind");
  const auto* kind =
      table == nullptr || it == table->end() ? nullptr : std::get_if<std::string>(&it->second.data);
  return kind == nullptr ? "" : *kind;
}

/// "network.loss.average, network.loss.mean_bad"
std::string keys_of(const Value& model, std::string_view path) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : *model.table())
    if (key != "kind") keys.push_back(fmt::format("{}.{}", path, key));
  return fmt::format("{}", fmt::join(keys, ", "));
}

}  // namespace

void apply_override(Value& root,
                    std::string_view assignment,
                    std::string_view origin,
                    Diagnostics& diagnostics) {
  const SourceLocation location{fmt::format("{} {}", origin, shortened(assignment, 200)), 0};
  const auto equals = assignment.find('=');
  const auto reject = [&](std::string problem) {
    diagnostics.add(
        {location, "", std::move(problem), "", "key.path=value, e.g. population.clients=4", ""});
  };
  if (equals == std::string_view::npos || equals == 0) return reject("is not key.path=value");
  const std::string_view path = assignment.substr(0, equals);
  const std::string text(assignment.substr(equals + 1));
  if (is_too_deep(path)) return reject(fmt::format("has more than {} parts", kMostLevels));
  if (text.empty()) {
    if (!assign(root, path, nullptr))
      reject(fmt::format("there is nothing at '{}' to remove", shortened(path)));
    return;
  }
  Value value{location, text};
  if (auto parsed = try_parse("v = " + text, location.file)) {
    auto& table = std::get<Table>(parsed->data);
    if (table.size() == 1) value = std::move(table.at("v"));
  }
  set_place(value, location);
  const Value* before = find_value(root, path);
  if (const auto kind = before == nullptr ? "" : kind_in(*before);
      !kind.empty() && kind_in(value) != kind)
    diagnostics.note(fmt::format("{} replaces a model of kind \"{}\", whose keys are {}",
                                 location.file,
                                 shortened(kind),
                                 keys_of(*before, path)));
  if (!assign(root, path, &value))
    reject(fmt::format("there is nothing at '{}' to set", shortened(path)));
}

std::vector<std::string> selected_paths(const Value& root, std::string_view path) {
  const auto dot = path.find('.');
  const std::string part(path.substr(0, dot));
  const auto rest = dot == path.npos ? std::string_view{} : path.substr(dot + 1);
  std::vector<std::string> paths;
  const auto go_on = [&](const Value& value, const std::string& name) {
    if (rest.empty()) return paths.push_back(name);
    for (auto& below : selected_paths(value, rest)) paths.push_back(name + "." + below);
  };
  if (const auto* array = root.array()) {
    for (std::size_t i = 0; i < array->size(); ++i)
      if (is_selected((*array)[i], i, part)) go_on((*array)[i], std::to_string(i));
    return paths;
  }
  const auto* table = root.table();
  const auto it = table == nullptr ? Table::const_iterator{} : table->find(part);
  if (table == nullptr || it == table->end()) return {std::string(path)};  // it will be made
  go_on(it->second, part);
  return paths;
}

}  // namespace posse
