// SPDX-License-Identifier: Apache-2.0
#include "program/compare/threshold_verdicts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "program/base/output.hpp"
#include "program/base/quantities.hpp"
#include "program/base/statistics.hpp"
#include "program/base/text.hpp"

namespace posse {
namespace {

double taken(const Threshold& threshold, const std::vector<double>& values) {
  const Statistics s = statistics(values);
  switch (threshold.of) {
    case Threshold::Of::min:
      return s.min;
    case Threshold::Of::mean:
      return s.mean;
    case Threshold::Of::max:
      return s.max;
    case Threshold::Of::percentile:
      break;
  }
  return percentile_of(values, threshold.percentile);
}

/// The bound of a measure in one run, if one applies.
std::optional<double> bound_in(const std::vector<Measurement>& measurements,
                               const Quantity& quantity) {
  for (const auto& measurement : measurements)
    if (measurement.name == quantity.label && measurement.bound &&
        measurement.bound->kind != BoundKind::does_not_apply)
      return measurement.bound->value;
  return std::nullopt;
}

/// The measure's bounds in the finished runs that have a value; none if one of them has no bound.
std::vector<double> bounds_in(const ScenarioResult& result,
                              std::size_t algorithm,
                              std::size_t quantity) {
  std::vector<double> bounds;
  MeasuredReader reader;
  for (const auto& run : result.figures) {
    if (run.algorithm != algorithm || !run.finished() || !run.finals[quantity]) continue;
    const auto bound = bound_in(reader.read(run.measurements), quantity_at(quantity));
    if (!bound) return {};
    bounds.push_back(*bound);
  }
  return bounds;
}

/// Whether some algorithms have this measure of their own, and this one doesn't.
bool is_of_others(std::size_t quantity, const Study& study, const StudyCell& cell) {
  return quantity_at(quantity).is_own && !cell.finished.empty() && cell.values(quantity).empty() &&
         std::ranges::any_of(study.cells, [&](const auto& other) {
           return !other.second.values(quantity).empty();
         });
}

/// `bounds`: of an algorithm and a quantity.
std::vector<ThresholdVerdict> judge_all(
    const std::vector<Threshold>& thresholds,
    const Study& study,
    const std::function<std::vector<double>(std::size_t, std::size_t)>& bounds) {
  std::vector<ThresholdVerdict> verdicts;
  for (const auto& threshold : thresholds)
    for (std::size_t s = 0; s < study.settings.size(); ++s)
      for (std::size_t a = 0; a < study.algorithms.size(); ++a) {
        const auto& label = study.algorithms[a];
        const StudyCell* cell = study.find(s, a);
        if (cell == nullptr || threshold.algorithm.value_or(label) != label) continue;
        const std::size_t quantity = *quantity_named(threshold.measure);
        if (!threshold.algorithm && is_of_others(quantity, study, *cell)) continue;
        ThresholdValues values;
        for (const auto& [repetition, finals] : cell->finished)
          if (finals[quantity]) values.values.push_back(*finals[quantity]);
        if (!threshold.limit) values.bounds = bounds(a, quantity);
        const auto& setting = study.settings[s];
        verdicts.push_back(judge(
            threshold, setting.empty() ? label : fmt::format("{}, {}", label, setting), values));
      }
  return verdicts;
}

}  // namespace

ThresholdVerdict judge(const Threshold& threshold,
                       const std::string& algorithm,
                       const ThresholdValues& given) {
  ThresholdVerdict verdict{algorithm, threshold.measure, threshold.condition};
  const auto& values = given.values;
  const auto undecided = [&](std::string because) {
    verdict.because = std::move(because);
    return verdict;
  };
  if (values.empty()) return undecided("no finished run has a value");
  verdict.measured = taken(threshold, values);
  if (threshold.limit) verdict.limit = threshold.limit;
  if (!threshold.limit) {
    if (given.bounds.empty()) return undecided("no bound applies");
    verdict.limit = statistics(given.bounds).mean;
  }
  if (threshold.of == Threshold::Of::percentile)
    if (const auto least = values_for_percentile(threshold.percentile); values.size() < least)
      return undecided(fmt::format("needs {} repetitions, has {}", least, values.size()));
  bool holds = false;
  if (threshold.limit) {
    holds = threshold.holds(*verdict.measured, *threshold.limit);
  } else {
    POSSE_CHECK(given.bounds.size() == values.size(),
                "{} bounds of {} values",
                given.bounds.size(),
                values.size());
    std::vector<double> differences(values.size());
    std::transform(
        values.begin(), values.end(), given.bounds.begin(), differences.begin(), std::minus<>());
    holds = threshold.holds(taken(threshold, differences), 0);
  }
  verdict.state = holds ? ThresholdState::held : ThresholdState::failed;
  return verdict;
}

std::vector<ThresholdVerdict> judge_thresholds(const Scenario& scenario,
                                               const ScenarioResult& result,
                                               const Study& study) {
  return judge_all(scenario.thresholds, study, [&](std::size_t algorithm, std::size_t quantity) {
    return bounds_in(result, algorithm, quantity);
  });
}

std::vector<ThresholdVerdict> judge_study(const std::vector<Threshold>& thresholds,
                                          const Study& study) {
  return judge_all(
      thresholds, study, [](std::size_t, std::size_t) { return std::vector<double>(); });
}

ExitCode exit_code_of(const std::vector<ThresholdVerdict>& verdicts) {
  const auto any = [&](ThresholdState state) {
    return std::any_of(
        verdicts.begin(), verdicts.end(), [&](const auto& v) { return v.state == state; });
  };
  if (any(ThresholdState::failed)) return ExitCode::threshold;
  return any(ThresholdState::undecided) ? ExitCode::undecided : ExitCode::ok;
}

void report_thresholds(const std::vector<ThresholdVerdict>& verdicts) {
  std::size_t held = 0;
  for (const auto& verdict : verdicts) {
    held += verdict.state == ThresholdState::held;
    if (verdict.state == ThresholdState::held) continue;
    const auto& unit = quantity_at(*quantity_named(verdict.measure)).unit;
    print_err("threshold {}: {}: {} {}{}{} (exit code {})\n",
              to_string(verdict.state),
              verdict.algorithm,
              verdict.measure,
              verdict.condition,
              verdict.measured ? ", measured " + pretty(rounded(*verdict.measured, 5), unit) : "",
              verdict.because.empty() ? "" : "; " + verdict.because,
              to_int(verdict.state == ThresholdState::failed ? ExitCode::threshold
                                                             : ExitCode::undecided));
  }
  if (!verdicts.empty()) print_err("{} of {} thresholds held\n", held, verdicts.size());
}

std::string thresholds_text(const std::vector<ThresholdVerdict>& verdicts) {
  if (verdicts.empty()) return "";
  TextTable table({"thresholds", "", "", "measured", "limit"});
  for (const auto& verdict : verdicts) {
    const auto& unit = quantity_at(*quantity_named(verdict.measure)).unit;
    const auto number = [&](const std::optional<double>& x) {
      return x ? pretty(rounded(*x, 5), unit) : "";
    };
    table.add({verdict.algorithm,
               fmt::format("{}: {}", verdict.measure, verdict.condition),
               verdict.because.empty()
                   ? std::string(to_string(verdict.state))
                   : fmt::format("{}: {}", to_string(verdict.state), verdict.because),
               number(verdict.measured),
               number(verdict.limit)});
  }
  return table.text() + "\n";
}

}  // namespace posse
