// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "program/base/csv.hpp"
#include "program/plot/chart.hpp"

namespace posse {
namespace {

std::string_view part_name(Series::Kind kind) {
  switch (kind) {
    case Series::Kind::points:
      return "point";
    case Series::Kind::front:
      return "front";
    case Series::Kind::guide:
      return "guide";
    default:
      return "line";
  }
}

/// A value on an axis, by its name if that has names.
std::string cell_on(const AxisSpec& axis, double value) {
  if (axis.categories.empty()) return fmt::format("{}", value);
  return csv_cell(axis.categories.at(static_cast<std::size_t>(value)));
}

}  // namespace

std::string to_csv(const Chart& chart) {
  const bool scattered = std::any_of(chart.series.begin(), chart.series.end(), [](const Series& s) {
    return s.kind == Series::Kind::points ||
           std::any_of(s.points.begin(), s.points.end(), [](const ChartPoint& p) {
             return p.around_x && !p.around_x->empty();
           });
  });
  bool named = false;
  for (const auto& series : chart.series)
    for (const auto& point : series.points) named = named || !point.name.empty();
  const auto& x = chart.x.name;
  const auto& y = chart.y.name;
  std::string out = fmt::format("series,part,{0}{1},{2},{2}_low,{2}_high,repetitions{3}\n",
                                csv_cell(x),
                                scattered ? fmt::format(",{0}_low,{0}_high", x) : "",
                                y,
                                named ? ",setting" : "");
  for (const auto& series : chart.series)
    for (const auto& p : series.points)
      out += fmt::format("{},{},{}{},{},{},{}{}\n",
                         csv_cell(series.label),
                         part_name(series.kind),
                         cell_on(chart.x, p.x),
                         scattered ? fmt::format(",{},{}", p.low_x(), p.high_x()) : "",
                         p.y,
                         p.around_y ? fmt::format("{},{}", p.low_y(), p.high_y()) : ",",
                         series.repetitions,
                         named ? "," + csv_cell(p.name) : "");
  for (const auto& reference : chart.references)
    out += fmt::format("{},bound,{},{},,,{}\n",
                       csv_cell(reference.label),
                       scattered ? ",," : "",
                       reference.y,
                       named ? "," : "");
  return out;
}

}  // namespace posse
