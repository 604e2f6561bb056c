// SPDX-License-Identifier: Apache-2.0
#include "program/reproduce/growth_chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

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

/// A dashed line from the first point of what was measured on.
Series guide(std::string label, const Series& of, const std::function<double(double)>& y) {
  Series guide{std::move(label), {}, Series::Kind::guide, of.style, 0, true};
  for (const auto& point : of.points)
    guide.points.push_back({point.x, y(point.x), std::nullopt, std::nullopt});
  return guide;
}

Series power(std::string_view what, const Series& of, double exponent) {
  const auto& first = of.points.front();
  return guide(fmt::format("{} {}: exponent {}", what, of.label, rounded(exponent, 3)),
               of,
               [&](double x) { return first.y * math::pow(x / first.x, exponent); });
}

/// What a check claims of its algorithm's growth.
std::vector<Series> claimed(const Check& check, const Series& of) {
  const auto& parameters = check.parameters;
  std::vector<Series> lines;
  if (has(check, "exponent")) {
    lines.push_back(power("claimed for", of, parameters.real("exponent")));
    if (!parameters.is_auto("lower"))
      lines.push_back(power("lower bound for", of, parameters.real("lower")));
  } else if (has(check, "slope")) {
    const auto& first = of.points.front();
    const double slope = parameters.real("slope");
    lines.push_back(guide(
        fmt::format(
            "steepest claimed for {}: {} per unit of the logarithm", of.label, rounded(slope, 3)),
        of,
        [&](double x) { return first.y + slope * math::log(x / first.x); }));
  }
  return lines;
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
        measured(algorithm.label, chart.series.size(), key, quantity_at(quantity).name, settings);
    if (!series.points.empty()) chart.series.push_back(std::move(series));
  }
  if (chart.series.empty()) return std::nullopt;
  const auto curves = chart.series;
  for (const auto* check : checks)
    for (const auto& series : curves)
      if (series.label == check->parameters.text("algorithm"))
        for (auto& line : claimed(*check, series)) chart.series.push_back(std::move(line));
  const auto& values = settings.front().keys.at(key);
  chart.id = plot_id("sweep", quantity_at(quantity));
  chart.x = {(values.starts_with('[') ? "number of " : "") + key_label(key), "", key, Scale::log};
  chart.y = quantity_axis(quantity, {});
  if (measures) chart.y.scale = Scale::log;
  chart.title = capitalized(fmt::format("{} over {}", quantity_at(quantity).label, chart.x.label));
  chart.subtitle = fmt::format("{}: means over {} {}",
                               settings.front().name,
                               curves[0].repetitions,
                               curves[0].repetitions == 1 ? "repetition" : "repetitions");
  chart.band = fmt::format("band: {}", in_words(Band::interval));
  return chart;
}

}  // namespace posse
