// SPDX-License-Identifier: Apache-2.0
#include "program/scenario/scenario_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "core/base/overload.hpp"
#include "program/scenario/table_reader.hpp"

namespace posse {
namespace {

/// As it is where TOML allows, else in quotes.
std::string key_text(const std::string& key) {
  const bool bare = !key.empty() && std::all_of(key.begin(), key.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '-' ||
           c == '_';
  });
  return bare ? key : toml_string(key);
}

bool holds_tables(const Value& value) {
  const auto* array = value.array();
  return array != nullptr && !array->empty() &&
         std::all_of(array->begin(), array->end(), [](const Value& v) { return v.table(); });
}

/// The keys of `table` that have no heading of their own, then its tables below `path`.
/// `headings`: how many levels of headings may follow.
void write_table(const Table& table, const std::string& path, int headings, std::string& out) {
  const auto has_heading = [&](const Value& value) {
    return headings > 0 && (holds_tables(value) || (path.empty() && value.table() != nullptr));
  };
  for (const auto& [key, value] : table)
    if (!has_heading(value)) out += fmt::format("{} = {}\n", key_text(key), inline_toml(value));
  for (const auto& [key, value] : table) {
    if (!has_heading(value)) continue;
    const std::string name = path.empty() ? key_text(key) : path + "." + key_text(key);
    if (const auto* one = value.table()) {
      out += fmt::format("\n[{}]\n", name);
      write_table(*one, name, headings - 1, out);
      continue;
    }
    for (const auto& element : *value.array()) {
      out += fmt::format("\n[[{}]]\n", name);
      write_table(*element.table(), name, 0, out);
    }
  }
}

}  // namespace

bool holds_text(const Value& value, std::string_view wanted) {
  if (const auto* text = std::get_if<std::string>(&value.data)) return *text == wanted;
  if (const auto* table = value.table())
    return std::any_of(table->begin(), table->end(), [&](const auto& entry) {
      return holds_text(entry.second, wanted);
    });
  const auto* array = value.array();
  return array != nullptr && std::any_of(array->begin(), array->end(), [&](const Value& element) {
           return holds_text(element, wanted);
         });
}

Value text_value(std::string text) { return {{}, std::move(text)}; }
Value whole_value(std::uint64_t number) { return {{}, static_cast<std::int64_t>(number)}; }
Value real_value(double number) { return {{}, number}; }
Value boolean_value(bool truth) { return {{}, truth}; }
Value table_value(Table table) { return {{}, std::move(table)}; }
Value array_value(Array array) { return {{}, std::move(array)}; }

void hold_inputs(Value& root, const InputFiles& inputs) {
  if (inputs.files().empty()) return;
  Value& held = std::get<Table>(root.data)["inputs"];
  for (const auto& file : inputs.files())
    std::get<Table>(held.data)[file.name] = text_value(*file.content);
}

void remove_unused_inputs(Value& root) {
  auto* table = std::get_if<Table>(&root.data);
  const auto inputs = table == nullptr ? Table::iterator{} : table->find("inputs");
  if (table == nullptr || inputs == table->end()) return;
  auto* files = std::get_if<Table>(&inputs->second.data);
  if (files == nullptr) return;
  std::erase_if(*files, [&](const auto& file) {
    return std::none_of(table->begin(), table->end(), [&](const auto& entry) {
      return entry.first != "inputs" && holds_text(entry.second, file.first);
    });
  });
  if (files->empty()) table->erase(inputs);
}

std::string inline_toml(const Value& value) {
  return std::visit(
      Overload{[](const Table& table) {
                 std::string text;
                 for (const auto& [key, entry] : table)
                   text += fmt::format(
                       "{}{} = {}", text.empty() ? "" : ", ", key_text(key), inline_toml(entry));
                 return text.empty() ? std::string("{}") : "{ " + text + " }";
               },
               [](const Array& array) {
                 std::string text;
                 for (const auto& entry : array)
                   text += (text.empty() ? "" : ", ") + inline_toml(entry);
                 return "[" + text + "]";
               },
               [](const std::string& text) { return toml_string(text); },
               [](std::int64_t number) { return fmt::format("{}", number); },
               [](double number) { return format_real(number); },
               [](bool truth) { return std::string(truth ? "true" : "false"); },
               [](DateOrTime) { return std::string("\"\""); }},
      value.data);
}

std::string toml_text(const Value& root) {
  std::string out;
  if (const auto* table = root.table()) write_table(*table, "", 2, out);
  return out;
}

}  // namespace posse
