// SPDX-License-Identifier: Apache-2.0
#include "program/base/table_json.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "core/base/check.hpp"
#include "core/base/overload.hpp"

namespace posse {
namespace {

Json texts_json(const std::vector<TableRow>& rows,
                std::size_t column,
                const std::vector<std::size_t>& kept) {
  Json texts = Json::array(), at = Json::array();
  std::unordered_map<std::string_view, std::size_t> places;
  for (const auto row : kept) {
    const auto* text = std::get_if<std::string>(&rows[row][column]);
    const auto [place, added] = places.try_emplace(text ? *text : std::string_view(), texts.size());
    if (added) texts.push_back(place->first);
    at.push_back(place->second);
  }
  return {{"texts", std::move(texts)}, {"at", std::move(at)}};
}

}  // namespace

Json json_of(const Datum& value) {
  return std::visit(
      Overload{[](std::monostate) { return Json(nullptr); },
               [](double real) { return std::isfinite(real) ? Json(real) : Json(nullptr); },
               [](const auto& other) { return Json(other); }},
      value);
}

Json JsonColumns::json(std::size_t most) const {
  const auto kept = thinned_rows(rows_.size(), most);
  Json json = Json::object();
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    if (columns_[c].type == ColumnType::text) {
      json[columns_[c].name] = texts_json(rows_, c, kept);
      continue;
    }
    auto& column = json[columns_[c].name] = Json::array();
    for (const auto row : kept) column.push_back(json_of(rows_[row][c]));
  }
  return json;
}

Json columns_json(const DataTable& table, std::size_t most) {
  JsonColumns columns(table.columns());
  table.each([&](const TableRow& row) { columns.add(row); });
  return columns.json(most);
}

std::vector<std::size_t> thinned_rows(std::size_t rows, std::size_t most) {
  POSSE_CHECK(most >= 2);
  std::vector<std::size_t> kept;
  const std::size_t count = std::min(rows, most);
  for (std::size_t i = 0; i < count; ++i)
    kept.push_back(rows <= most ? i : i * (rows - 1) / (most - 1));
  return kept;
}

}  // namespace posse
