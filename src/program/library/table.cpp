// SPDX-License-Identifier: Apache-2.0
#include "program/library/table.hpp"

#include <algorithm>
#include <limits>
#include <optional>

#include "core/base/csv.hpp"

namespace posse {
namespace {

/// All cells as numbers, if they are; "inf" and "nan" are.
std::optional<DataTable::Reals> reals_of(const DataTable::Texts& texts) {
  DataTable::Reals reals;
  reals.reserve(texts.size());
  for (const auto& text : texts) {
    const auto number = text.empty() ? std::optional(std::numeric_limits<double>::quiet_NaN())
                                     : parse_number<double>(text);
    if (!number) return std::nullopt;
    reals.push_back(*number);
  }
  return reals;
}

}  // namespace

std::size_t DataTable::rows() const {
  if (columns.empty()) return 0;
  return std::visit([](const auto& cells) { return cells.size(); }, columns.front().cells);
}

const DataTable::Column* DataTable::find(std::string_view name) const {
  const auto found = std::find_if(
      columns.begin(), columns.end(), [&](const Column& column) { return column.name == name; });
  return found == columns.end() ? nullptr : &*found;
}

DataTable table_of_csv(std::string_view csv) {
  DataTable table;
  if (csv.empty()) return table;
  CsvReader reader(csv);
  std::vector<DataTable::Texts> texts(reader.columns().size());
  while (reader.next())
    for (std::size_t i = 0; i < texts.size(); ++i) texts[i].push_back(reader.cell(i));
  for (std::size_t i = 0; i < texts.size(); ++i) {
    auto& column = table.columns.emplace_back(DataTable::Column{reader.columns()[i], {}});
    if (auto reals = reals_of(texts[i]))
      column.cells = std::move(*reals);
    else
      column.cells = std::move(texts[i]);
  }
  return table;
}

}  // namespace posse
