// SPDX-License-Identifier: Apache-2.0
#include "program/compare/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/math.hpp"
#include "program/base/text.hpp"
#include "program/compare/arms_text.hpp"
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

bool is_identity(const MeasurementSummary& f) { return f.bound && f.bound->is_identity; }

std::string bound_text(const MeasurementSummary& f) {
  if (!f.bound) return "";
  auto text = (f.bound->is_identity ? "= "
               : f.bound->is_lower  ? "≥ "
                                    : "≤ ") +
              pretty(f.bound->value, f.unit);
  if (f.bound->kind != BoundKind::does_not_apply) return text;
  return std::isfinite(f.bound->value) && f.bound->value > 0 ? "(" + text + ")" : "–";
}

/// " in 2 of 5 runs", or nothing for a single run.
std::string exceeded_in(const MeasurementSummary& f) {
  return f.measured.n > 1 ? fmt::format(" in {} of {} runs", f.exceeded, f.measured.n) : "";
}

std::string kind_text(const MeasurementSummary& f) {
  if (!f.bound) return "";
  if (f.bound->kind == BoundKind::does_not_apply) return "does not apply";
  const bool always = f.bound->strength == BoundStrength::always;
  if (f.bound->is_identity) {
    if (f.exceeded == 0) return "✓";
    return (always ? "violated" : "not equal") + exceeded_in(f);
  }
  auto text =
      fmt::format("{}, {}",
                  to_string(f.bound->kind),
                  always                                                 ? "always"
                  : f.bound->strength == BoundStrength::with_probability ? "w.p. 1-δ"
                                                                         : "unknown constant");
  if (f.vacuous) text += ", vacuous";
  if (f.exceeded > 0) text += (always ? ", violated" : ", exceeded") + exceeded_in(f);
  return text;
}

/// Of an identity the mean as it is, to be compared with the formula's.
std::string value_text(const MeasurementSummary& f) {
  const double half = half_width(f.measured, Band::interval);
  if (!is_identity(f) || !(half > 0)) return mean_and_interval(f.measured, f.unit);
  return fmt::format("{} ± {}", pretty(f.measured.mean, f.unit), pretty(rounded(half, 2), f.unit));
}

constexpr std::size_t kIdentityIndent = 2;  // further than the other rows

/// The widths of the columns for names, values and bounds.
struct ColumnWidths {
  std::size_t names = 8, values = 8, bounds = 5;

  void include(const MeasurementSummary& f) {
    names = std::max(names, width(f.name) + (is_identity(f) ? kIdentityIndent : 0));
    values = std::max(values, width(value_text(f)));
    bounds = std::max(bounds, width(bound_text(f)));
  }
};

std::string row_text(const MeasurementSummary& f, const ColumnWidths& columns) {
  const std::size_t indent = is_identity(f) ? kIdentityIndent : 0;
  std::string line = "  " + std::string(indent, ' ') + padded(f.name, columns.names - indent) +
                     "  " + padded(value_text(f), columns.values);
  if (f.bound) line += "  " + padded(bound_text(f), columns.bounds) + "  " + kind_text(f);
  return without_trailing_spaces(line) + "\n";
}

/// Bounds first, then what every run has, then identities.
std::string table_text(const AlgorithmSummary& s) {
  ColumnWidths columns;
  for (const auto* list : {&s.measurements, &s.totals})
    for (const auto& f : *list) columns.include(f);
  std::string out, identities;
  if (s.finished > 0)
    out += fmt::format("  {}  {}  {}  {}\n",
                       padded("", columns.names),
                       padded(s.finished > 1 ? "mean" : "measured", columns.values),
                       padded("bound", columns.bounds),
                       "kind of bound");
  for (const auto* list : {&s.measurements, &s.totals})
    for (const auto& f : *list) (is_identity(f) ? identities : out) += row_text(f, columns);
  return identities.empty() ? out : out + "  identities\n" + identities;
}

void add_paths(const RunFigures& run, CriticalPaths& to) {
  to.rounds += run.path_rounds;
  for (std::size_t i = 0; i < kCriticalPathParts.size(); ++i)
    to.sum.*kCriticalPathParts[i].time += run.path_parts[i];
  for (const auto& [node, rounds] : run.waited_for) to.waited_for[node] += rounds;
}

/// "7", or of shared rounds "7.5".
std::string share_text(std::uint64_t rounds) {
  const double share =
      static_cast<double>(rounds) / static_cast<double>(CriticalPaths::kWholeRound);
  const auto text = fmt::format("{:.1f}", share);
  return text.ends_with(".0") ? text.substr(0, text.size() - 2) : text;
}

/// Whether the node that was waited for in most rounds is waited for more often than the luckiest
/// of equal ones would be: beyond sqrt(2 ln n) + 2 standard deviations.
bool more_than_chance(std::uint64_t most, const CriticalPaths& paths, std::size_t nodes) {
  const auto n = static_cast<double>(std::max(nodes, paths.waited_for.size() + 1) - 1);
  if (n < 2) return true;
  const auto rounds = static_cast<double>(paths.rounds);
  const double times = static_cast<double>(most) / static_cast<double>(CriticalPaths::kWholeRound);
  const double deviation = std::sqrt(rounds / n * (1 - 1 / n));
  return times > rounds / n + (std::sqrt(2 * math::log(n)) + 2) * deviation;
}

/// How the rounds' time passed, and who was waited for.
std::string paths_text(const AlgorithmSummary& s,
                       const ScenarioResult& result,
                       std::size_t algorithm) {
  Duration whole;
  for (const auto& part : kCriticalPathParts) whole += s.paths.sum.*part.time;
  if (whole.ns == 0) return "";
  std::vector<CriticalPathPart> parts(kCriticalPathParts.begin(), kCriticalPathParts.end());
  std::erase_if(parts, [&](const auto& part) { return (s.paths.sum.*part.time).ns == 0; });
  std::stable_sort(parts.begin(), parts.end(), [&](const auto& a, const auto& b) {
    return s.paths.sum.*a.time > s.paths.sum.*b.time;
  });
  std::string text = "time of the rounds, along the path to the end of each: ";
  for (const auto& part : parts)
    text += fmt::format("{}{} {:.1f} %",
                        &part == &parts.front() ? "" : ", ",
                        part.name,
                        100 * (s.paths.sum.*part.time).to_seconds() / whole.to_seconds());
  const auto most = std::max_element(
      s.paths.waited_for.begin(), s.paths.waited_for.end(), [](const auto& a, const auto& b) {
        return a.second < b.second;
      });
  const auto run = std::find_if(result.runs.begin(), result.runs.end(), [&](const RunRecord& r) {
    return r.algorithm == algorithm && r.started;
  });
  if (most != s.paths.waited_for.end() && run != result.runs.end() &&
      more_than_chance(most->second, s.paths, run->result.node_names.size()))
    text += fmt::format("; most often waited for: {}, in {} of {} rounds",
                        run->result.name_of(most->first),
                        share_text(most->second),
                        s.paths.rounds);
  return wrapped(text, "  ");
}

/// Beside the fingerprint: in which order equal times came, unless as usual.
std::string ties_note(const Scenario& scenario) {
  const Ties& ties = scenario.network.ties;
  return ties == Ties{} ? "" : fmt::format(" (ties: {})", text_of(ties));
}

std::string ties_text(const AlgorithmSummary& s) {
  if (s.tied_rounds == 0) return "";
  return wrapped(
      fmt::format("ties decided who counted in {} of {} rounds", s.tied_rounds, s.rounds), "  ");
}

}  // namespace

Summary summarise(const Scenario& scenario, const ScenarioResult& result) {
  Summary summary;
  for (std::size_t a = 0; a < scenario.algorithms.size(); ++a) {
    AlgorithmSummary s;
    s.label = scenario.algorithms[a].label;
    for (const auto& run : result.figures) {
      if (run.algorithm != a) continue;
      s.tied_rounds += run.tied_rounds;
      s.rounds += run.rounds;
      ++(run.finished() ? s.finished : s.others);
      if (run.finished()) add_paths(run, s.paths);
    }
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
    summary.algorithms.push_back(std::move(s));
  }
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

std::string to_text(const Summary& summary,
                    const Scenario& scenario,
                    const ScenarioResult& result) {
  std::string out = thresholds_text(summary.thresholds);
  out += summary.study ? to_text(*summary.study) + "\n"
                       : wrapped(conditions_text(scenario), "") + "\n";
  for (const auto& warning : summary.study ? std::vector<std::string>{} : summary.warnings)
    out += wrapped("warning: " + warning, "");
  if (!summary.study && !summary.warnings.empty()) out += "\n";
  for (std::size_t a = 0; a < summary.algorithms.size(); ++a) {
    const auto& s = summary.algorithms[a];
    const auto& entry = scenario.algorithms[a];
    const std::size_t size = scenario.arms ? number_of_arms(*scenario.arms) : entry.clients;
    const auto* unit = scenario.arms ? "arm" : "client";
    out += fmt::format(
        "{}  ({} {}{}, {})\n",
        s.label,
        size,
        unit,
        size == 1 ? "" : "s",
        s.others == 0 ? fmt::format("{} {}", s.finished, s.finished == 1 ? "run" : "runs")
                      : fmt::format("{} of {} runs finished", s.finished, s.finished + s.others));
    out += table_text(s);
    out += paths_text(s, result, a);
    out += ties_text(s);
    out += arms_text(result, a);
    std::string notes;
    for (const auto& f : s.measurements)
      if (f.bound && !f.bound->note.empty())
        notes += wrapped(f.name + ": " + f.bound->note, "    ");
    if (!notes.empty()) out += "  notes:\n" + notes;
    out += "\n";
  }
  // The comparison's legend says so.
  const auto repeated = [](const AlgorithmSummary& s) { return s.finished > 1; };
  if (!summary.study && std::ranges::any_of(summary.algorithms, repeated))
    out += fmt::format("{}\n", kIntervalLegend);
  if (!result.has_all_details())
    out +=
        wrapped(fmt::format("rounds, curves, cells and links are kept of the first {} repetitions; "
                            "tables and runs.csv are of all {}",
                            result.detailed_repetitions(scenario),
                            scenario.repeat),
                "");
  const std::string fingerprint = fingerprint_text(result);
  out += fingerprint == kNoFingerprint
             ? "no fingerprint: wall-time runs are not reproducible bit for bit\n"
             : fmt::format("fingerprint {}{}\n", fingerprint, ties_note(scenario));
  return out;
}

}  // namespace posse
