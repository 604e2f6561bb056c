// SPDX-License-Identifier: Apache-2.0
#include "program/reproduce/growth_chart.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/math.hpp"
#include "program/base/quantities.hpp"
#include "program/base/text.hpp"
#include "program/plot/setting_axis.hpp"
#include "program/plot/sweep_charts.hpp"
#include "program/reproduce/judging.hpp"

namespace posse {
namespace {

bool has(const Check& check, std::string_view parameter) {
  return check.parameters.all().contains(parameter);
}

Series measured(const std::string& label,
                std::size_t style,
                const std::string& key,
                std::string_view measure,
                const std::vector<RunData>& settings) {
  Series series{label, {}, Series::Kind::line, style};
  for (const auto& run : settings) {
    const auto* algorithm = run.find(label);
    const auto x = place_of(run, key);
    if (algorithm == nullptr || !x) continue;
    std::vector<double> values;
    for (const auto& repetition : algorithm->repetitions)
      if (const auto value = repetition.finals[measure]) values.push_back(*value);
    if (values.empty()) continue;
    const auto all = statistics(values);
    series.points.push_back({*x, all.mean, std::nullopt, Around(half_width(all, Band::interval))});
    series.repetitions = std::max(series.repetitions, all.n);
  }
  std::ranges::sort(series.points, {}, &ChartPoint::x);
  return series;
}

/// From the first point of what was measured on.
Series claimed(const Check& check, const Series& of) {
  const bool power = has(check, "exponent");
  const double rate = check.parameters.real(power ? "exponent" : "slope");
  Series guide{power ? fmt::format("claimed for {}: exponent {}", of.label, rounded(rate, 3))
                     : fmt::format("steepest claimed for {}: {} per unit of the logarithm",
                                   of.label,
                                   rounded(rate, 3)),
               {},
               Series::Kind::guide,
               of.style,
               0,
               true};
  const auto& first = of.points.front();
  for (const auto& point : of.points) {
    const double y = power ? first.y * math::pow(point.x / first.x, rate)
                           : first.y + rate * math::log(point.x / first.x);
    guide.points.push_back({point.x, y, std::nullopt, std::nullopt});
  }
  return guide;
}

}  // namespace

std::optional<Chart> growth_chart(const std::vector<const Check*>& checks,
                                  const std::vector<RunData>& settings) {
  const auto& parameters = checks.front()->parameters;
  const auto& key = parameters.text("key");
  const bool measures = has(*checks.front(), "measure");  // else rounds
  const auto quantity = *quantity_named(measures ? parameters.text("measure") : "rounds");
  Chart chart;
  for (const auto& algorithm : settings.front().algorithms) {
    auto series =
        measured(algorithm.label, chart.series.size(), key, kQuantities[quantity].name, settings);
    if (!series.points.empty()) chart.series.push_back(std::move(series));
  }
  if (chart.series.empty()) return std::nullopt;
  const auto curves = chart.series;
  for (const auto* check : checks)
    for (const auto& series : curves)
      if (series.label == check->parameters.text("algorithm") && !has(*check, "factor"))
        chart.series.push_back(claimed(*check, series));
  const auto& values = settings.front().keys.at(key);
  chart.id = plot_id("sweep", kQuantities[quantity]);
  chart.x = {(values.starts_with('[') ? "number of " : "") + key_label(key), "", key, Scale::log};
  chart.y = quantity_axis(quantity, {});
  if (measures) chart.y.scale = Scale::log;
  chart.title = capitalized(fmt::format("{} over {}", kQuantities[quantity].label, chart.x.label));
  chart.subtitle =
      fmt::format("{}: means over {} repetitions", settings.front().name, curves[0].repetitions);
  chart.band = fmt::format("band: {}", in_words(Band::interval));
  return chart;
}

}  // namespace posse
