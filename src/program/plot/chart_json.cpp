// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "program/base/table_json.hpp"
#include "program/plot/chart.hpp"

namespace posse {
namespace {

constexpr std::string_view to_string(Series::Kind kind) {
  switch (kind) {
    case Series::Kind::line:
      return "line";
    case Series::Kind::steps:
      return "steps";
    case Series::Kind::points:
      return "points";
    case Series::Kind::front:
      return "front";
    case Series::Kind::guide:
      return "guide";
  }
  return "?";
}

Json axis_json(const AxisSpec& axis) {
  Json json{{"label", axis.label},
            {"unit", axis.unit},
            {"name", axis.name},
            {"log", axis.scale == Scale::log}};
  if (!axis.categories.empty()) json["categories"] = axis.categories;
  return json;
}

Json series_json(const Series& series) {
  Json json{{"label", series.label},
            {"kind", to_string(series.kind)},
            {"style", series.style},
            {"repetitions", series.repetitions},
            {"alone", series.alone},
            {"coloured", series.coloured}};
  if (series.marker) json["marker"] = *series.marker;
  if (series.background) json["background"] = true;
  for (const auto* column : {"x", "y", "low", "high", "x_low", "x_high"})
    json[column] = Json::array();
  bool around_x = false, around_y = false;
  for (const auto& p : series.points) {
    around_x = around_x || (p.around_x && !p.around_x->empty());
    around_y = around_y || (p.around_y && !p.around_y->empty());
  }
  const auto add = [&json](const char* column, bool known, double value) {
    json[column].push_back(known ? Json(value) : Json(nullptr));
  };
  for (const auto& p : series.points) {
    add("x", true, p.x);
    add("y", true, p.y);
    if (around_y) {
      add("low", p.around_y.has_value(), p.low_y());
      add("high", p.around_y.has_value(), p.high_y());
    }
    if (around_x) {
      add("x_low", p.around_x.has_value(), p.low_x());
      add("x_high", p.around_x.has_value(), p.high_x());
    }
  }
  return json;
}

}  // namespace

Json chart_json(const Chart& chart) {
  Json json{{"id", chart.id},
            {"title", chart.title},
            {"subtitle", chart.subtitle},
            {"band", chart.band},
            {"note", chart.note},
            {"x", axis_json(chart.x)},
            {"y", axis_json(chart.y)},
            {"series", Json::array()},
            {"references", Json::array()},
            {"faults", Json::array()}};
  for (const auto& series : chart.series) json["series"].push_back(series_json(series));
  for (const auto& reference : chart.references)
    json["references"].push_back(
        {{"label", reference.label}, {"y", reference.y}, {"style", reference.style}});
  for (const auto& fault : chart.faults)
    json["faults"].push_back({{"label", fault.label}, {"from", fault.from}, {"to", fault.to}});
  return json;
}

}  // namespace posse
