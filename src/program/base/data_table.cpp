// SPDX-License-Identifier: Apache-2.0
#include "program/base/data_table.hpp"

#include <fmt/format.h>

#include <iterator>

#include "core/base/csv.hpp"
#include "core/base/overload.hpp"
#include "program/base/csv.hpp"

namespace posse {
namespace {

template <class Quoted>
void append_datum(const Datum& value, const Quoted& quoted, std::string& out) {
  std::visit(
      Overload{[](std::monostate) {},
               [&](bool flag) { out += flag ? '1' : '0'; },
               [&](const std::string& text) { out += quoted(text); },
               [&](const auto& number) { fmt::format_to(std::back_inserter(out), "{}", number); }},
      value);
}

}  // namespace

void append_csv(const std::vector<Column>& columns, std::string& out) {
  for (const auto& column : columns) {
    if (&column != &columns.front()) out += ',';
    out += csv_cell(column.name);
  }
  out += '\n';
}

std::string datum_text(const Datum& value) {
  std::string text;
  append_datum(
      value, [](const std::string& own) { return own; }, text);
  return text;
}

void append_csv(const TableRow& row, std::string& out) {
  for (const auto& value : row) {
    if (&value != &row.front()) out += ',';
    append_datum(value, csv_cell, out);
  }
  out += '\n';
}

void write_csv(const DataTable& table, const std::function<void(std::string_view)>& out) {
  constexpr std::size_t kAtATime = 1 << 16;
  std::string lines;
  append_csv(table.columns(), lines);
  table.each([&](const TableRow& row) {
    append_csv(row, lines);
    if (lines.size() < kAtATime) return;
    out(lines);
    lines.clear();
  });
  if (!lines.empty()) out(lines);
}

std::string csv_text(const DataTable& table) {
  std::string text;
  write_csv(table, [&](std::string_view lines) { text += lines; });
  return text;
}

std::optional<Datum> datum_in(std::string_view cell, ColumnType type) {
  if (type == ColumnType::text) return Datum(std::string(cell));
  if (cell.empty()) return Datum();
  if (type == ColumnType::flag) {
    if (cell != "1" && cell != "0") return std::nullopt;
    return Datum(cell == "1");
  }
  if (type == ColumnType::count) {
    if (const auto count = parse_number<std::uint64_t>(cell)) return Datum(*count);
  } else if (const auto real = parse_number<double>(cell)) {
    return Datum(*real);
  }
  return std::nullopt;
}

std::string_view wanted(ColumnType type) {
  switch (type) {
    case ColumnType::flag:
      return "0 or 1";
    case ColumnType::count:
      return "a whole number";
    case ColumnType::real:
      return "a number";
    case ColumnType::text:
      break;
  }
  return "a text";
}

}  // namespace posse
