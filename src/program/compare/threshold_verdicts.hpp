// SPDX-License-Identifier: Apache-2.0
// Whether a scenario's results keep its thresholds.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "program/compare/study.hpp"
#include "program/run/runner.hpp"
#include "program/scenario/scenario.hpp"

namespace posse {

enum class ThresholdState { held, failed, undecided };
constexpr std::string_view to_string(ThresholdState state) {
  switch (state) {
    case ThresholdState::held:
      return "held";
    case ThresholdState::failed:
      return "failed";
    case ThresholdState::undecided:
      return "undecided";
  }
  return "?";
}

/// A threshold over the finished repetitions of one algorithm.
struct ThresholdVerdict {
  std::string algorithm, measure, condition;
  ThresholdState state = ThresholdState::undecided;
  std::optional<double> measured, limit;  // limit: of a bound the mean over the repetitions
  std::string because;                    // of undecided ones
};

/// One value per repetition, and its bound where the threshold asks for it.
struct ThresholdValues {
  std::vector<double> values;
  std::vector<double> bounds;  // as many, or none if some run has no bound that applies
};
/// A bound is kept if the differences from it, taken run by run, are below (above) 0 as asked.
ThresholdVerdict judge(const Threshold& threshold,
                       const std::string& algorithm,
                       const ThresholdValues& given);

/// All thresholds for all algorithms that they are for. `study`: of these runs.
std::vector<ThresholdVerdict> judge_thresholds(const Scenario& scenario,
                                               const ScenarioResult& result,
                                               const Study& study);

/// In every setting; `algorithm` of a verdict also names it, where there are several. A study has
/// no bounds: thresholds against one are left undecided.
std::vector<ThresholdVerdict> judge_study(const std::vector<Threshold>& thresholds,
                                          const Study& study);

/// The exit code of a failed threshold, then of an undecided one, else ok.
ExitCode exit_code_of(const std::vector<ThresholdVerdict>& verdicts);

/// Reports the thresholds that are not held, a line each, and how many are, on standard error.
void report_thresholds(const std::vector<ThresholdVerdict>& verdicts);

/// The verdicts, a line each; "" if there are none.
std::string thresholds_text(const std::vector<ThresholdVerdict>& verdicts);

}  // namespace posse
