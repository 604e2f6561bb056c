// SPDX-License-Identifier: Apache-2.0
#include "program/plot/rounds_law.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/base/math.hpp"
#include "program/base/text.hpp"
#include "program/plot/kinds.hpp"
#include "program/plot/setting_axis.hpp"
#include "program/sweep/setting_runs.hpp"

namespace posse {
namespace {

/// One algorithm with all else equal but m and n.
struct RoundsLine {
  std::string name;
  struct Point {
    std::vector<double> rounds, ceilings;
  };
  std::map<double, Point> at;  // by m n
  std::size_t runs = 0, above = 0, with_ceiling = 0;
};

std::vector<RoundsLine> lines_of(const std::vector<RunData>& settings) {
  std::vector<SettingKeys> keys;
  for (const auto& run : settings) {
    keys.push_back(run.keys);
    std::erase_if(keys.back(), [](const auto& key) {
      return key.first.ends_with(".clients") || key.first.starts_with("budget.");
    });
  }
  const auto others = names_without(keys, {});
  std::vector<RoundsLine> lines;
  for (std::size_t s = 0; s < settings.size(); ++s)
    for (const auto& algorithm : settings[s].algorithms) {
      const auto& kind = algorithm.kind.empty() ? algorithm.label : algorithm.kind;
      const auto name = name_in_setting(kind, false, others[s]);
      auto line = std::find_if(
          lines.begin(), lines.end(), [&](const RoundsLine& l) { return l.name == name; });
      if (line == lines.end()) line = lines.insert(lines.end(), RoundsLine{name, {}, 0, 0, 0});
      for (const auto& repetition : algorithm.repetitions) {
        if (repetition.evaluations_per_client == 0) continue;
        auto& point =
            line->at[static_cast<double>(algorithm.clients) * repetition.evaluations_per_client];
        point.rounds.push_back(repetition.finals["rounds"].value());
        ++line->runs;
        // A run may state several ceilings: the least of them counts.
        std::optional<double> ceiling;
        for (const auto& bound : repetition.bounds)
          if (bound.measurement == "rounds" && !bound.lower &&
              bound.strength == to_string(BoundStrength::always))
            ceiling = std::min(ceiling.value_or(bound.value), bound.value);
        if (!ceiling) continue;
        point.ceilings.push_back(*ceiling);
        ++line->with_ceiling;
        line->above += point.rounds.back() > *ceiling;
      }
    }
  std::erase_if(lines, [](const RoundsLine& line) { return line.at.size() < 2; });
  return lines;
}

std::string slope_text(const LineFit& fit) {
  auto text = rounded(fit.slope, 3);
  return fit.interval ? fmt::format("{} ({} to {})",
                                    text,
                                    rounded(fit.interval->low, 3),
                                    rounded(fit.interval->high, 3))
                      : fmt::format("{}", text);
}

/// What the fit says of the ceiling.
std::string verdict(const RoundsLine& line, const LineFit& fit, const std::optional<LineFit>& top) {
  const bool grows = fit.interval && fit.interval->low > 0;
  std::string text = fmt::format("{}: {}slope {} per unit of ln(mn)",
                                 line.name,
                                 grows ? "" : "no growth shown, ",
                                 slope_text(fit));
  if (!top) return text;
  const bool steeper = fit.interval && fit.interval->low > top->slope;
  text += fmt::format(
      ", {}{}", steeper ? "steeper than the ceiling's " : "the ceiling's ", rounded(top->slope, 3));
  text += line.above == 0
              ? fmt::format("; at or below the ceiling in all {} runs", line.runs)
              : fmt::format("; above the ceiling in {} of {} runs", line.above, line.runs);
  return text;
}

}  // namespace

std::optional<LineFit> fit_line(const std::vector<double>& x, const std::vector<double>& y) {
  const double mean_x = statistics(x).mean, mean_y = statistics(y).mean;
  double xx = 0, xy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - mean_x) * (x[i] - mean_x);
    xy += (x[i] - mean_x) * (y[i] - mean_y);
  }
  if (!(xx > 0)) return std::nullopt;
  LineFit fit;
  fit.slope = xy / xx;
  fit.at_zero = mean_y - fit.slope * mean_x;
  if (x.size() < 3) return fit;
  double rest = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double off = y[i] - fit.at_zero - fit.slope * x[i];
    rest += off * off;
  }
  const auto freedom = static_cast<double>(x.size() - 2);
  const double half = math::student_t_quantile(freedom, 0.975) * std::sqrt(rest / freedom / xx);
  fit.interval = Interval{fit.slope - half, fit.slope + half};
  return fit;
}

MaybeChart rounds_law_chart(const std::vector<RunData>& settings, Band band) {
  const auto lines = lines_of(settings);
  if (lines.empty())
    return std::string("needs runs with two numbers of evaluations at least, all clients together");
  Chart chart;
  chart.id = "rounds";
  chart.title = "Rounds against evaluations of all clients, m n";
  std::vector<std::string> verdicts;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto& line = lines[i];
    Series measured{line.name, {}, Series::Kind::points, i, 0};
    Series ceiling{"ceiling of " + line.name, {}, Series::Kind::guide, i, 0, true};
    std::vector<double> logs, means, ceilings;
    for (const auto& [evaluations, point] : line.at) {
      const auto s = statistics(point.rounds);
      measured.points.push_back({evaluations, s.mean, Around(), half_width(s, band)});
      measured.repetitions = std::max(measured.repetitions, s.n);
      logs.push_back(math::log(evaluations));
      means.push_back(s.mean);
      if (point.ceilings.size() < point.rounds.size()) continue;
      ceilings.push_back(statistics(point.ceilings).mean);
      ceiling.points.push_back({evaluations, ceilings.back(), std::nullopt, std::nullopt});
    }
    const auto fit = fit_line(logs, means);
    std::optional<LineFit> top;
    if (ceilings.size() == logs.size()) {
      top = fit_line(logs, ceilings);
      chart.series.push_back(std::move(ceiling));
    }
    Series fitted{
        fmt::format("{}: slope {}", line.name, slope_text(*fit)), {}, Series::Kind::line, i, 0};
    for (const auto& p : {measured.points.front(), measured.points.back()})
      fitted.points.push_back(
          {p.x, fit->at_zero + fit->slope * math::log(p.x), std::nullopt, std::nullopt});
    chart.series.push_back(std::move(fitted));
    chart.series.push_back(std::move(measured));
    verdicts.push_back(verdict(line, *fit, top));
  }
  if (chart.series.size() > 30)
    return fmt::format("would have {} lines; --where KEY=VALUE chooses among them", lines.size());
  chart.subtitle = fmt::format("{}. {}", settings.front().name, fmt::join(verdicts, ". "));
  chart.x = {"m n, evaluations of all clients", "", "evaluations", Scale::log};
  chart.y = {"rounds", "", "rounds"};
  chart.band = fmt::format("bars: {}", in_words(band));
  return chart;
}

}  // namespace posse
