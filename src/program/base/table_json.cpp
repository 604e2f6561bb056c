// SPDX-License-Identifier: Apache-2.0
#include "program/base/table_json.hpp"

#include <cmath>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "core/base/overload.hpp"

namespace posse {
namespace {

Json texts_json(const std::vector<TableRow>& rows, std::size_t column) {
  Json texts = Json::array(), at = Json::array();
  std::unordered_map<std::string_view, std::size_t> places;
  for (const auto& row : rows) {
    const auto* text = std::get_if<std::string>(&row[column]);
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

Json columns_json(const std::vector<Column>& columns, const std::vector<TableRow>& rows) {
  Json json = Json::object();
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (columns[c].type == ColumnType::text) {
      json[columns[c].name] = texts_json(rows, c);
      continue;
    }
    auto& column = json[columns[c].name] = Json::array();
    for (const auto& row : rows) column.push_back(json_of(row[c]));
  }
  return json;
}

Json columns_json(const DataTable& table) {
  std::vector<TableRow> rows;
  table.each([&](const TableRow& row) { rows.push_back(row); });
  return columns_json(table.columns(), rows);
}

}  // namespace posse
