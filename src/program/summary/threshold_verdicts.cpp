// SPDX-License-Identifier: Apache-2.0
#include "program/summary/threshold_verdicts.hpp"

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

ThresholdValues values_of(const Threshold& threshold,
                          const ScenarioResult& result,
                          std::size_t algorithm) {
  const std::size_t quantity = *quantity_named(threshold.measure);
  ThresholdValues all;
  MeasuredReader reader;
  bool bounded = !threshold.limit;
  for (const auto& run : result.figures) {
    if (run.algorithm != algorithm || !run.finished() || !run.finals[quantity]) continue;
    all.values.push_back(*run.finals[quantity]);
    const auto bound = bound_in(reader.read(run.measurements), kQuantities[quantity]);
    bounded = bounded && bound;
    if (bounded) all.bounds.push_back(*bound);
  }
  if (!bounded) all.bounds.clear();
  return all;
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
    std::vector<double> differences(values.size());
    std::transform(
        values.begin(), values.end(), given.bounds.begin(), differences.begin(), std::minus<>());
    holds = threshold.holds(taken(threshold, differences), 0);
  }
  verdict.state = holds ? ThresholdState::held : ThresholdState::failed;
  return verdict;
}

std::vector<ThresholdVerdict> judge_thresholds(const Scenario& scenario,
                                               const ScenarioResult& result) {
  std::vector<ThresholdVerdict> verdicts;
  for (const auto& threshold : scenario.thresholds)
    for (std::size_t a = 0; a < scenario.algorithms.size(); ++a) {
      const auto& label = scenario.algorithms[a].label;
      if (threshold.algorithm.value_or(label) == label)
        verdicts.push_back(judge(threshold, label, values_of(threshold, result, a)));
    }
  return verdicts;
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
    const auto& unit = kQuantities[*quantity_named(verdict.measure)].unit;
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
    const auto& unit = kQuantities[*quantity_named(verdict.measure)].unit;
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
