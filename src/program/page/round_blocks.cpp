// SPDX-License-Identifier: Apache-2.0
#include "program/page/round_blocks.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>

#include "program/base/table_json.hpp"

namespace posse {
namespace {

using Rows = std::span<const TableRow>;

std::optional<double> as_number(const Datum& datum) {
  if (const auto* count = std::get_if<std::uint64_t>(&datum)) return static_cast<double>(*count);
  if (const auto* real = std::get_if<double>(&datum)) return *real;
  return std::nullopt;
}

/// Nothing if none of the rows has a number.
Datum mean(Rows rows, std::size_t column) {
  double sum = 0;
  std::size_t count = 0;
  for (const auto& row : rows)
    if (const auto number = as_number(row[column])) {
      sum += *number;
      ++count;
    }
  return count > 0 ? Datum(sum / static_cast<double>(count)) : Datum();
}

Datum common_text(Rows rows, std::size_t column) {
  const Datum& first = rows.front()[column];
  const auto same = [&](const TableRow& row) { return row[column] == first; };
  return std::ranges::all_of(rows, same) ? first : Datum(std::string());
}

Datum in_block(const Column& column, std::size_t c, Rows rows) {
  if (rows.size() == 1 || column.name == "round" || column.name == "began_virtual_s")
    return rows.front()[c];
  if (column.name == "ended_virtual_s") return rows.back()[c];
  return column.type == ColumnType::text ? common_text(rows, c) : mean(rows, c);
}

}  // namespace

Json round_blocks(const std::vector<Column>& columns, const std::vector<TableRow>& rounds) {
  const auto round = static_cast<std::size_t>(std::ranges::find(columns, "round", &Column::name) -
                                              columns.begin());
  const auto follows = [&](std::size_t i) {  // the row, on the one before it
    const auto *number = std::get_if<std::uint64_t>(&rounds[i][round]),
               *before = std::get_if<std::uint64_t>(&rounds[i - 1][round]);
    return number != nullptr && before != nullptr && *number == *before + 1;
  };
  const std::size_t most = (rounds.size() + kRoundBlocks - 1) / kRoundBlocks;
  std::vector<TableRow> blocks;
  Json last = Json::array();
  for (std::size_t first = 0, i = 0; i < rounds.size(); ++i) {
    const bool goes_on = i + 1 < rounds.size() && i + 1 - first < most && follows(i + 1);
    if (goes_on) continue;
    const Rows block = Rows(rounds).subspan(first, i + 1 - first);
    auto& row = blocks.emplace_back();
    for (std::size_t c = 0; c < columns.size(); ++c) row.push_back(in_block(columns[c], c, block));
    last.push_back(json_of(rounds[i][round]));
    first = i + 1;
  }
  Json json = columns_json(columns, blocks);
  json["last_round"] = std::move(last);
  return json;
}

}  // namespace posse
