// SPDX-License-Identifier: Apache-2.0
#include "program/plot/scaling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "core/base/math.hpp"
#include "program/base/text.hpp"
#include "program/base/units.hpp"
#include "program/plot/curves.hpp"
#include "program/plot/kinds.hpp"
#include "program/plot/setting_axis.hpp"
#include "program/plot/settling.hpp"

namespace posse {
namespace {

const std::string kMetric = "simple_regret";

/// One algorithm with a number of clients and a latency.
struct Setting {
  std::string algorithm;
  std::size_t clients = 0;
  double latency_s = 0;
  auto operator<=>(const Setting&) const = default;
};

struct ScalingPoint {
  Setting setting;
  Settling regret;                // over time
  std::optional<double> time;     // to the regret
  std::vector<double> resampled;  // times to the regret, by resample
};

struct ScalingStudy {
  std::vector<ScalingPoint> all;  // by algorithm in the runs' order, clients, latency
  double regret = 0;
  bool chosen = false;     // true if the regret was not given
  bool in_time = true;     // else in evaluations per client
  std::size_t missed = 0;  // never reach it
  std::string problem;     // what it is about
  std::set<double> latencies;
  std::set<std::size_t> clients;
};

/// Up to two significant digits.
double rounded_up(double value) {
  if (!(value > 0)) return 0;
  const double place = math::pow(10.0, std::floor(math::log10(value)) - 1);
  const double up = std::ceil(value / place - 1e-9) * place;
  return std::max(rounded(up, 2), value);
}

/// Whether some run has two entries of the kind with equally many clients.
bool is_ambiguous(const std::vector<RunData>& runs, const std::string& kind) {
  for (const auto& run : runs) {
    std::set<std::size_t> clients;
    for (const auto& a : run.algorithms)
      if (a.kind == kind && !clients.insert(a.clients).second) return true;
  }
  return false;
}

std::string name_of(const AlgorithmData& algorithm, const std::vector<RunData>& runs) {
  return algorithm.kind.empty() || is_ambiguous(runs, algorithm.kind) ? algorithm.label
                                                                      : algorithm.kind;
}

bool takes_time(const std::vector<RunData>& runs) {
  for (const auto& run : runs)
    for (const auto& algorithm : run.algorithms)
      for (const auto& repetition : algorithm.repetitions)
        for (const auto& [metric, points] : repetition.curves)
          if (!points.empty() && points.back().virtual_s > 0) return true;
  return false;
}

/// The reason why the runs can't be in one picture, or "".
std::string disagreement(const std::vector<RunData>& runs) {
  for (const auto& run : runs) {
    if (run.objective != runs.front().objective ||
        run.heterogeneity != runs.front().heterogeneity || run.noise != runs.front().noise)
      return fmt::format("needs runs of one problem, but these are of {} and of {}",
                         problem_text(runs.front()),
                         problem_text(run));
    if (!run.latency_s)
      return fmt::format("needs the mean latency, which '{}' does not have",
                         (run.folder / "scenario.toml").string());
  }
  return "";
}

/// What runs differ in besides latency and clients, as names.
std::vector<std::string> other_differences(const std::vector<RunData>& runs) {
  std::vector<SettingKeys> keys;
  for (const auto& run : runs) {
    keys.push_back(run.keys);
    std::erase_if(keys.back(), [](const auto& key) {
      return key.first.starts_with("network.latency") || key.first.ends_with(".clients");
    });
  }
  return names_without(keys, {});
}

std::vector<ScalingPoint> scaling_points(const std::vector<RunData>& runs, bool in_time) {
  std::vector<std::string> order;  // algorithms as they come
  std::map<Setting, std::vector<Curve>> curves;
  const auto others = other_differences(runs);
  for (std::size_t r = 0; r < runs.size(); ++r)
    for (const auto& run = runs[r]; const auto& algorithm : run.algorithms) {
      auto name = name_of(algorithm, runs);
      if (!others[r].empty()) name += ", " + others[r];
      if (std::find(order.begin(), order.end(), name) == order.end()) order.push_back(name);
      for (const auto& repetition : algorithm.repetitions) {
        const auto points = repetition.curves.find(kMetric);
        if (points == repetition.curves.end() || points->second.empty()) continue;
        auto& curve = curves[{name, algorithm.clients, *run.latency_s}].emplace_back();
        for (const auto& p : points->second)
          curve.push_back({in_time ? p.virtual_s : p.evaluations, p.value});
      }
    }
  std::vector<ScalingPoint> all;
  for (const auto& name : order)
    for (const auto& [setting, of_repetitions] : curves)
      if (setting.algorithm == name)
        all.push_back({setting, Settling(of_repetitions), std::nullopt, {}});
  return all;
}

/// The 95 % interval of a value around it; nothing if it is unknown.
std::optional<Around> around(double value, std::vector<double> resampled) {
  const auto interval = percentile_interval_95(std::move(resampled));
  if (!interval) return std::nullopt;
  return Around(std::max(0.0, value - interval->low), std::max(0.0, interval->high - value));
}

/// The study, or what it needs and the runs do not have.
std::variant<ScalingStudy, std::string> study_of(const std::vector<RunData>& runs,
                                                 std::optional<double> regret) {
  if (auto problem = disagreement(runs); !problem.empty()) return problem;
  ScalingStudy study;
  study.in_time = takes_time(runs);
  study.all = scaling_points(runs, study.in_time);
  if (study.all.empty()) return std::string("needs runs that have a simple regret");
  study.problem = problem_text(runs.front());
  double largest = 0;
  for (const auto& m : study.all) largest = std::max(largest, m.regret.least_level());
  study.chosen = !regret;
  study.regret = regret.value_or(rounded_up(largest));
  for (auto& m : study.all) {
    m.time = m.regret.time(study.regret);
    if (m.time)
      m.resampled = m.regret.resampled(study.regret);
    else
      ++study.missed;
  }
  if (study.missed == study.all.size())
    return fmt::format(
        "needs a regret that is reached: the mean simple regret ends above {}; "
        "the smallest that all reach for good is {}",
        study.regret,
        rounded_up(largest));
  for (const auto& m : study.all) {
    study.latencies.insert(m.setting.latency_s);
    study.clients.insert(m.setting.clients);
  }
  return study;
}

/// The shortest time of all lines at each latency.
Series frontier_of(const std::vector<Series>& lines) {
  std::map<double, double> soonest;
  for (const auto& line : lines)
    for (const auto& p : line.points) {
      const auto [place, fresh] = soonest.try_emplace(p.x, p.y);
      if (!fresh) place->second = std::min(place->second, p.y);
    }
  Series frontier{"frontier: the soonest", {}, Series::Kind::guide, 0, 0};
  for (const auto& [latency, time] : soonest)
    frontier.points.push_back({latency, time, std::nullopt, std::nullopt});
  return frontier;
}

/// What the bands are, if there are any.
std::string band_of(const ScalingStudy& study) {
  const bool any = std::any_of(study.all.begin(), study.all.end(), [](const ScalingPoint& m) {
    return !m.resampled.empty();
  });
  return any ? fmt::format("band: 95 % of {} bootstrap samples of the repetitions", kResamples)
             : "";
}

std::string what_time_is(const ScalingStudy& study) {
  return fmt::format(
      "{} until the simple regret, averaged over repetitions, stays at most {}{}{}",
      study.in_time ? "virtual time" : "evaluations per client",
      study.regret,
      study.chosen ? ", the least that all reach" : "",
      study.missed == 0 ? ""
                        : fmt::format("; {} of {} never reach it", study.missed, study.all.size()));
}

}  // namespace

MaybeChart time_to_regret_plot(const std::vector<RunData>& runs, std::optional<double> regret) {
  auto made = study_of(runs, regret);
  if (auto* problem = std::get_if<std::string>(&made)) return std::move(*problem);
  const auto& study = std::get<ScalingStudy>(made);
  if (study.latencies.size() < 2) return std::string("needs runs at two mean latencies at least");
  Chart chart;
  chart.id = "time-to-regret";
  chart.title = "Time to regret over latency and clients m";
  chart.subtitle = fmt::format("{}; {}", study.problem, what_time_is(study));
  chart.x = {"mean latency of a link", "s", "latency_s", Scale::log, true};
  chart.y = study.in_time
                ? AxisSpec{"virtual time to the regret", "s", "time_to_regret_s", Scale::log, true}
                : AxisSpec{"evaluations per client to the regret",
                           "",
                           "evaluations_to_regret",
                           Scale::log,
                           true};
  std::map<std::pair<std::string, std::size_t>, std::size_t> lines;  // position in the series
  for (const auto& m : study.all) {
    if (!m.time) continue;
    const auto [line, fresh] =
        lines.try_emplace({m.setting.algorithm, m.setting.clients}, chart.series.size());
    if (fresh)
      chart.series.push_back({fmt::format("{}, m = {}", m.setting.algorithm, m.setting.clients),
                              {},
                              Series::Kind::line,
                              chart.series.size(),
                              m.regret.repetitions()});
    chart.series[line->second].points.push_back(
        {m.setting.latency_s, *m.time, std::nullopt, around(*m.time, m.resampled)});
  }
  if (chart.series.size() > 1) chart.series.push_back(frontier_of(chart.series));
  chart.band = band_of(study);
  return chart;
}

MaybeChart speed_up_plot(const std::vector<RunData>& runs, std::optional<double> regret) {
  auto made = study_of(runs, regret);
  if (auto* problem = std::get_if<std::string>(&made)) return std::move(*problem);
  const auto& study = std::get<ScalingStudy>(made);
  if (study.clients.size() < 2)
    return std::string("needs runs with two numbers of clients at least");
  struct Line {
    const ScalingPoint* base = nullptr;  // the fewest clients
    Series series;
  };
  std::vector<Line> lines;
  std::map<std::pair<std::string, double>, std::size_t> places;
  for (const auto& m : study.all) {
    if (!m.time || *m.time <= 0) continue;  // at once: no ratio
    const auto [place, fresh] =
        places.try_emplace({m.setting.algorithm, m.setting.latency_s}, lines.size());
    if (fresh) {
      auto label = m.setting.algorithm;
      if (study.latencies.size() > 1)
        label += fmt::format(", latency {}", pretty_seconds(m.setting.latency_s));
      lines.push_back(
          {&m, {std::move(label), {}, Series::Kind::line, lines.size(), m.regret.repetitions()}});
    }
    auto& line = lines[place->second];  // clients come in ascending order
    const auto base = static_cast<double>(line.base->setting.clients);
    const double speed_up = base * *line.base->time / *m.time;
    std::vector<double> resampled;
    for (std::size_t i = 0; i < std::min(m.resampled.size(), line.base->resampled.size()); ++i)
      resampled.push_back(base * line.base->resampled[i] / m.resampled[i]);
    line.series.points.push_back({static_cast<double>(m.setting.clients),
                                  speed_up,
                                  std::nullopt,
                                  around(speed_up, std::move(resampled))});
  }
  std::erase_if(lines, [](const Line& line) { return line.series.points.size() < 2; });
  if (lines.empty())
    return std::string(
        "needs an algorithm that takes some time to the regret with two numbers of clients");
  std::set<std::size_t> bases, all;
  Chart chart;
  for (const auto& line : lines) bases.insert(line.base->setting.clients);
  for (auto& line : lines) {
    if (bases.size() > 1) line.series.label += fmt::format(", m0 = {}", line.base->setting.clients);
    for (const auto& p : line.series.points) all.insert(static_cast<std::size_t>(p.x));
    chart.series.push_back(std::move(line.series));
  }
  const auto fewest = static_cast<double>(*all.begin()), most = static_cast<double>(*all.rbegin());
  chart.series.insert(
      chart.series.begin(),
      {"ideal: S = m",
       {{fewest, fewest, std::nullopt, std::nullopt}, {most, most, std::nullopt, std::nullopt}},
       Series::Kind::guide,
       0,
       0});
  chart.id = "speed-up";
  chart.title = "Speed-up S(m) over clients m";
  const std::string relative =
      bases.size() > 1      ? "S(m) = m0 T(m0) / T(m), m0 being each line's smallest m"
      : *bases.begin() == 1 ? std::string("S(m) = T(1) / T(m)")
                            : fmt::format("S(m) = {0} T({0}) / T(m)", *bases.begin());
  chart.subtitle = fmt::format("{}; {}; T: {}", study.problem, relative, what_time_is(study));
  chart.x = {"clients m", "", "clients", Scale::log};
  chart.y = {"speed-up S(m)", "", "speed_up", Scale::log};
  chart.band = band_of(study);
  return chart;
}

}  // namespace posse
