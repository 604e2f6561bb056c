// SPDX-License-Identifier: Apache-2.0
#include "program/library/memory_table.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "core/base/csv.hpp"
#include "core/base/overload.hpp"

namespace posse {
namespace {

/// All cells as numbers, if they are; "inf" and "nan" are.
std::optional<MemoryTable::Reals> reals_of(const MemoryTable::Texts& texts) {
  MemoryTable::Reals reals;
  reals.reserve(texts.size());
  for (const auto& text : texts) {
    const auto number = text.empty() ? std::optional(std::numeric_limits<double>::quiet_NaN())
                                     : parse_number<double>(text);
    if (!number) return std::nullopt;
    reals.push_back(*number);
  }
  return reals;
}

double real_of(const Datum& value) {
  return std::visit(Overload{[](std::monostate) { return std::nan(""); },
                             [](const std::string&) { return std::nan(""); },
                             [](auto number) { return static_cast<double>(number); }},
                    value);
}

}  // namespace

std::size_t MemoryTable::rows() const {
  if (columns.empty()) return 0;
  return std::visit([](const auto& cells) { return cells.size(); }, columns.front().cells);
}

const MemoryTable::Column* MemoryTable::find(std::string_view name) const {
  const auto found = std::find_if(
      columns.begin(), columns.end(), [&](const Column& column) { return column.name == name; });
  return found == columns.end() ? nullptr : &*found;
}

MemoryTable in_memory(const DataTable& table) {
  MemoryTable memory;
  for (const auto& column : table.columns()) {
    auto& added = memory.columns.emplace_back(MemoryTable::Column{column.name, {}});
    if (column.type == ColumnType::text) added.cells = MemoryTable::Texts();
  }
  table.each([&](const TableRow& row) {
    for (std::size_t i = 0; i < row.size(); ++i)
      if (auto* texts = std::get_if<MemoryTable::Texts>(&memory.columns[i].cells))
        texts->push_back(datum_text(row[i]));
      else
        std::get<MemoryTable::Reals>(memory.columns[i].cells).push_back(real_of(row[i]));
  });
  return memory;
}

MemoryTable table_of_csv(std::string_view csv) {
  MemoryTable table;
  CsvReader reader(csv);
  std::vector<MemoryTable::Texts> texts(reader.columns().size());
  while (reader.next())
    for (std::size_t i = 0; i < texts.size(); ++i) texts[i].push_back(reader.cell(i));
  for (std::size_t i = 0; i < texts.size(); ++i) {
    auto& column = table.columns.emplace_back(MemoryTable::Column{reader.columns()[i], {}});
    if (auto reals = reals_of(texts[i]))
      column.cells = std::move(*reals);
    else
      column.cells = std::move(texts[i]);
  }
  return table;
}

}  // namespace posse
