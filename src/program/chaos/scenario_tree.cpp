#include "program/chaos/scenario_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "core/base/overload.hpp"
#include "program/scenario/table_reader.hpp"

namespace posse {
namespace {

std::string inline_text(const Value& value) {
  return std::visit(
      Overload{[](const Table& table) {
                 std::string text;
                 for (const auto& [key, entry] : table)
                   text +=
                       fmt::format("{}{} = {}", text.empty() ? "" : ", ", key, inline_text(entry));
                 return text.empty() ? std::string("{}") : "{ " + text + " }";
               },
               [](const Array& array) {
                 std::string text;
                 for (const auto& entry : array)
                   text += (text.empty() ? "" : ", ") + inline_text(entry);
                 return "[" + text + "]";
               },
               [](const std::string& text) { return toml_string(text); },
               [](std::int64_t number) { return fmt::format("{}", number); },
               [](double number) { return format_real(number); },
               [](bool truth) { return std::string(truth ? "true" : "false"); },
               [](DateOrTime) { return std::string("\"\""); }},
      value.data);
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
    if (!has_heading(value)) out += fmt::format("{} = {}\n", key, inline_text(value));
  for (const auto& [key, value] : table) {
    if (!has_heading(value)) continue;
    const std::string name = path.empty() ? key : path + "." + key;
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

Value text_value(std::string text) { return {{}, std::move(text)}; }
Value whole_value(std::uint64_t number) { return {{}, static_cast<std::int64_t>(number)}; }
Value real_value(double number) { return {{}, number}; }
Value boolean_value(bool truth) { return {{}, truth}; }
Value table_value(Table table) { return {{}, std::move(table)}; }
Value array_value(Array array) { return {{}, std::move(array)}; }

std::string toml_text(const Value& root) {
  std::string out;
  if (const auto* table = root.table()) write_table(*table, "", 2, out);
  return out;
}

}  // namespace posse
