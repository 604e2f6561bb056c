// SPDX-License-Identifier: Apache-2.0
#include "program/plot/sweep_charts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>

#include "program/base/statistics.hpp"
#include "program/base/text.hpp"
#include "program/plot/setting_axis.hpp"
#include "program/scenario/diagnostics.hpp"
#include "program/sweep/setting_runs.hpp"

namespace posse {
namespace {

/// Nothing if a single value tells nothing of its spread.
std::optional<Around> around_mean(const Statistics& s, Band band) {
  if (s.n < 2) return std::nullopt;
  return Around(half_width(s, band));
}

/// The Pareto front, by x.
std::vector<ChartPoint> pareto_front(std::vector<ChartPoint> points) {
  std::sort(points.begin(), points.end(), [](const ChartPoint& a, const ChartPoint& b) {
    return std::pair(a.x, a.y) < std::pair(b.x, b.y);
  });
  std::vector<ChartPoint> front;
  for (const auto& p : points)
    if (front.empty() || p.y < front.back().y) front.push_back({p.x, p.y});
  return front;
}

}  // namespace

std::string too_many_lines(std::size_t lines) {
  return fmt::format(
      "{} {} lines; --where, --algorithm, --columns and --rows choose and divide them",
      kTooManyLines,
      lines);
}

std::size_t position_of_quantity(const std::string& name, std::string_view flag) {
  if (const auto q = quantity_named(name)) return *q;
  throw std::invalid_argument(fmt::format(
      "{}: there is no measure '{}'{}", flag, name, allowed_names(name, quantity_names())));
}

std::string plot_id(const std::string& kind, const Quantity& quantity) {
  auto id = fmt::format("{}-{}", kind, quantity.name);
  std::replace(id.begin(), id.end(), '_', '-');
  return id;
}

AxisSpec quantity_axis(std::size_t quantity, const std::vector<double>& means) {
  const Quantity& q = quantity_at(quantity);
  AxisSpec axis{std::string(q.label), std::string(q.unit), std::string(q.name)};
  double low = 0, high = 0;
  for (const double mean : means) {
    if (mean <= 0) continue;
    low = low == 0 ? mean : std::min(low, mean);
    high = std::max(high, mean);
  }
  const bool negative = std::any_of(means.begin(), means.end(), [](double m) { return m < 0; });
  if (!negative && low > 0 && high > 10 * low) axis.scale = Scale::log;
  axis.zero_has_a_place = true;
  return axis;
}

std::string repetitions_text(const Study& study) {
  std::size_t fewest = 0, most = 0;
  for (const auto& [at, cell] : study.cells) {
    if (cell.finished.empty()) continue;
    fewest = fewest == 0 ? cell.finished.size() : std::min(fewest, cell.finished.size());
    most = std::max(most, cell.finished.size());
  }
  if (most == 1) return "one repetition";
  return fewest == most ? fmt::format("{} repetitions", most)
                        : fmt::format("{} to {} repetitions", fewest, most);
}

MaybeChart sweep_chart(const Study& study,
                       const std::string& key,
                       std::size_t quantity,
                       Band band,
                       std::size_t most_lines) {
  const auto axis = setting_axis(study, key);
  auto one_dimension = keys_in_step(study.keys, key);
  one_dimension.push_back(key);
  const auto others = names_without(study.keys, one_dimension);
  Chart chart;
  chart.id = plot_id("sweep", quantity_at(quantity));
  std::map<std::pair<std::size_t, std::string>, std::size_t> lines;
  std::vector<double> means;
  bool intervals = false;
  for (std::size_t a = 0; a < study.algorithms.size(); ++a)
    for (std::size_t s = 0; s < study.settings.size(); ++s) {
      const auto* cell = study.find(s, a);
      if (cell == nullptr || !axis.at[s]) continue;
      const auto values = cell->values(quantity);
      if (values.empty()) continue;
      const auto [line, added] = lines.try_emplace({a, others[s]}, chart.series.size());
      if (added)
        chart.series.push_back(
            {name_in_setting(study.algorithms[a], study.algorithms.size() == 1, others[s]),
             {},
             Series::Kind::line,
             chart.series.size(),
             values.size(),
             false,
             false,
             study.algorithms[a],
             others[s]});
      const auto s95 = statistics_of(values);
      means.push_back(s95.mean);
      const auto around = around_mean(s95, band);
      intervals = intervals || (around && !around->empty());
      chart.series[line->second].points.push_back({*axis.at[s], s95.mean, std::nullopt, around});
    }
  if (chart.series.empty())
    return fmt::format("needs runs with the measure {}", quantity_at(quantity).name);
  if (chart.series.size() > most_lines) return too_many_lines(chart.series.size());
  for (auto& series : chart.series)
    std::stable_sort(series.points.begin(), series.points.end(), [](const auto& p, const auto& q) {
      return p.x < q.x;
    });
  chart.x = axis.spec;
  chart.y = quantity_axis(quantity, means);
  chart.title =
      capitalized(fmt::format("{} over {}", quantity_at(quantity).label, axis.spec.label));
  chart.subtitle = fmt::format("{}: means over {}", study.name, repetitions_text(study));
  if (intervals) chart.band = fmt::format("band: {}", in_words(band));
  fold_legend(chart);
  return chart;
}

MaybeChart pareto_chart(const Study& study, std::size_t quantity, std::size_t cost, Band band) {
  Chart chart;
  const Quantity& measure = quantity_at(quantity);
  chart.id = measure.name == "cumulative_regret" ? "pareto" : plot_id("pareto", measure);
  const std::string cost_label = quantity_at(cost).name == "payload_bytes"
                                     ? "payload sent by all nodes"
                                     : std::string(quantity_at(cost).label);
  chart.title = fmt::format("Final {} against {}", measure.label, cost_label);
  chart.subtitle = fmt::format("{}: means over {}", study.name, repetitions_text(study));
  std::size_t cells = 0;
  for (const auto& [at, cell] : study.cells) cells += !cell.values(quantity).empty();
  std::vector<ChartPoint> points;
  std::vector<double> costs, means;
  bool bars = false;
  for (std::size_t a = 0; a < study.algorithms.size(); ++a)
    for (std::size_t s = 0; s < study.settings.size(); ++s) {
      const auto* cell = study.find(s, a);
      if (cell == nullptr) continue;
      std::vector<double> x_values, y_values;
      for (const auto& [repetition, finals] : cell->finished)
        if (finals[quantity] && finals[cost]) {
          x_values.push_back(*finals[cost]);
          y_values.push_back(*finals[quantity]);
        }
      if (y_values.empty()) continue;
      const auto x = statistics(x_values), y = statistics(y_values);
      ChartPoint point{x.mean, y.mean, half_width(x, band), half_width(y, band)};
      point.name = study.settings[s];
      bars = bars || x.sd > 0 || y.sd > 0;
      costs.push_back(x.mean);
      means.push_back(y.mean);
      points.push_back(point);
      // Every point has a colour of its own as long as there are few; else every algorithm has.
      const bool few = cells <= kMostLines;
      const auto label =
          few ? name_in_setting(study.algorithms[a], study.algorithms.size() == 1, point.name)
              : study.algorithms[a];
      if (few || chart.series.empty() || chart.series.back().label != label)
        chart.series.push_back({label,
                                {},
                                Series::Kind::points,
                                chart.series.size(),
                                y_values.size(),
                                false,
                                false,
                                few ? study.algorithms[a] : "",
                                few ? point.name : ""});
      chart.series.back().points.push_back(point);
    }
  if (points.empty()) return fmt::format("needs runs with the measure {}", measure.name);
  if (std::all_of(costs.begin(), costs.end(), [](double x) { return x == 0; }))
    return std::string("needs runs that send messages");
  if (auto front = pareto_front(points); front.size() > 1)
    chart.series.insert(chart.series.begin(),
                        {"Pareto front", std::move(front), Series::Kind::front, 0, 0});
  chart.x = quantity_axis(cost, costs);
  chart.x.label = cost_label;
  chart.y = quantity_axis(quantity, means);
  if (bars) chart.band = fmt::format("bars: {}", in_words(band));
  fold_legend(chart);
  return chart;
}

}  // namespace posse
