// SPDX-License-Identifier: Apache-2.0
#include "program/compare/summary.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "core/base/math.hpp"
#include "program/compare/studied_runs.hpp"
#include "program/run/verdict.hpp"
#include "program/scenario/conditions.hpp"

namespace posse {
namespace {

/// Of one name in all runs.
struct Gathered {
  MeasurementSummary summary;
  std::vector<double> measured, bounds;
  std::size_t vacuous = 0;

  void add(const Measurement& measurement, const WorstCase& worst) {
    measured.push_back(measurement.measured);
    if (!measurement.bound) return;
    // A bound that does not apply in one run is shown as such for all.
    if (!summary.bound || measurement.bound->kind == BoundKind::does_not_apply)
      summary.bound = measurement.bound;
    bounds.push_back(measurement.bound->value);
    if (exceeds_bound(measurement)) ++summary.exceeded;
    if (is_vacuous(measurement, worst)) ++vacuous;
  }
};

/// Measurements of the same name over the algorithm's finished runs, in the order of first
/// appearance.
std::vector<MeasurementSummary> over_runs(const ScenarioResult& result,
                                          std::size_t algorithm,
                                          MeasuredNumbers RunFigures::*measurements) {
  std::vector<Gathered> all;
  MeasuredReader reader;
  std::vector<std::size_t> places;  // in `all`, of the measurements of `like`
  const std::vector<Measurement>* like = nullptr;
  for (const auto& run : result.figures) {
    if (run.algorithm != algorithm || !run.finished()) continue;
    const auto& now = reader.read(run.*measurements);
    if (like != (run.*measurements).like.get()) {
      like = (run.*measurements).like.get();
      places.clear();
      for (const auto& measurement : now) {
        const auto known = std::find_if(all.begin(), all.end(), [&](const Gathered& other) {
          return other.summary.name == measurement.name;
        });
        places.push_back(static_cast<std::size_t>(known - all.begin()));
        if (known != all.end()) continue;
        all.emplace_back().summary.name = measurement.name;
        all.back().summary.unit = measurement.unit;
      }
    }
    for (std::size_t i = 0; i < now.size(); ++i) all[places[i]].add(now[i], run.worst);
  }
  std::vector<MeasurementSummary> out;
  for (auto& [summary, measured, bounds, vacuous] : all) {
    summary.measured = statistics(measured);
    if (summary.bound) summary.bound->value = statistics(bounds).mean;
    summary.vacuous = vacuous > 0 && vacuous == bounds.size();
    out.push_back(std::move(summary));
  }
  return out;
}

/// The critical paths of the rounds of an algorithm's runs.
struct GatheredPaths {
  std::uint64_t rounds = 0;
  std::array<Duration, kCriticalPathParts.size()> parts{};
  std::map<NodeId, std::uint64_t> waited_for;  // in how many rounds, times kWholeRound

  void add(const RunFigures& run) {
    rounds += run.path_rounds;
    for (std::size_t i = 0; i < parts.size(); ++i) parts[i] += run.path_parts[i];
    for (const auto& [node, shares] : run.waited_for) waited_for[node] += shares;
  }
};

/// Whether the node that was waited for in most rounds is waited for more often than the luckiest
/// of equal ones would be: beyond sqrt(2 ln n) + 2 standard deviations.
bool more_than_chance(double most, const GatheredPaths& paths, std::size_t nodes) {
  const auto n = static_cast<double>(std::max(nodes, paths.waited_for.size() + 1) - 1);
  if (n < 2) return true;
  const auto rounds = static_cast<double>(paths.rounds);
  const double deviation = std::sqrt(rounds / n * (1 - 1 / n));
  return most > rounds / n + (std::sqrt(2 * math::log(n)) + 2) * deviation;
}

RoundTimes times_of(const GatheredPaths& paths,
                    const ScenarioResult& result,
                    std::size_t algorithm) {
  RoundTimes times;
  times.rounds = paths.rounds;
  for (std::size_t i = 0; i < paths.parts.size(); ++i)
    times.parts_s[i] = paths.parts[i].to_seconds();
  const auto most = std::max_element(
      paths.waited_for.begin(), paths.waited_for.end(), [](const auto& a, const auto& b) {
        return a.second < b.second;
      });
  const auto run = std::find_if(result.runs.begin(), result.runs.end(), [&](const RunRecord& r) {
    return r.algorithm == algorithm && r.started;
  });
  if (most == paths.waited_for.end() || run == result.runs.end()) return times;
  const double rounds =
      static_cast<double>(most->second) / static_cast<double>(CriticalPaths::kWholeRound);
  if (!more_than_chance(rounds, paths, run->result.node_names.size())) return times;
  times.waited_for = run->result.name_of(most->first);
  times.waited_rounds = rounds;
  return times;
}

AlgorithmSummary summary_of(const Scenario& scenario, const ScenarioResult& result, std::size_t a) {
  AlgorithmSummary s;
  s.label = scenario.algorithms[a].label;
  s.of_arms = scenario.arms.has_value();
  s.size = s.of_arms ? number_of_arms(*scenario.arms) : scenario.algorithms[a].clients;
  GatheredPaths paths;
  for (const auto& run : result.figures) {
    if (run.algorithm != a) continue;
    s.tied_rounds += run.tied_rounds;
    s.rounds += run.rounds;
    ++(run.finished() ? s.finished : s.others);
    if (run.finished()) paths.add(run);
  }
  s.times = times_of(paths, result, a);
  s.arms = arm_lines(result, a);
  s.measurements = over_runs(result, a, &RunFigures::measurements);
  s.totals = over_runs(result, a, &RunFigures::totals);
  // Not shown for a perfect network, where they are 0.
  constexpr std::array<std::string_view, 6> kShownIfAny{"acknowledgements",
                                                        "retransmitted",
                                                        "retransmitted needlessly",
                                                        "lost in transit",
                                                        "in flight at the end",
                                                        "sent after the finish"};
  std::erase_if(s.totals, [&](const MeasurementSummary& f) {
    return f.measured.max == 0 && std::ranges::count(kShownIfAny, f.name) > 0;
  });
  return s;
}

}  // namespace

Summary summarise(const Scenario& scenario, const ScenarioResult& result) {
  Summary summary;
  summary.conditions = conditions_text(scenario);
  summary.fingerprint = fingerprint_text(result);
  if (scenario.network.ties != Ties{}) summary.ties = text_of(scenario.network.ties);
  summary.repetitions = scenario.repeat;
  summary.detailed_repetitions =
      result.has_all_details() ? scenario.repeat : result.detailed_repetitions(scenario);
  for (std::size_t a = 0; a < scenario.algorithms.size(); ++a)
    summary.algorithms.push_back(summary_of(scenario, result, a));
  Study study = study_of(scenario, result);
  summary.thresholds = judge_thresholds(scenario, result, study);
  summary.comparisons = compare_algorithms(result, study);
  summary.warnings = warnings_of_runs(study);
  if (scenario.algorithms.size() < 2) return summary;
  StudyReport report = study_report(std::move(study));
  if (report.comparison.measures.empty()) return summary;
  summary.warnings = report.warnings;
  summary.study = std::move(report);
  return summary;
}

}  // namespace posse
