// SPDX-License-Identifier: Apache-2.0
#include "program/run/verdict.hpp"

#include <limits>

namespace posse {

WorstCase worst_case(const Scenario& scenario, const RunOutcome& outcome) {
  WorstCase worst;
  worst.evaluations = static_cast<double>(outcome.regret.max_evaluations);
  if (scenario.arms) worst.regret = std::numeric_limits<double>::infinity();
  if (scenario.problem) {
    const auto& problem = *scenario.problem;
    if (problem.family != nullptr || problem.base != nullptr) {
      const auto range =
          problem.family != nullptr ? problem.family->value_range() : problem.base->value_range();
      worst.regret = range.high - range.low;
    }
  }
  return worst;
}

bool is_vacuous(const Measurement& measurement, const WorstCase& worst) {
  if (!is_judged(measurement) || measurement.bound->is_identity || measurement.bound->is_lower ||
      !(worst.evaluations > 0))
    return false;
  const double bound = measurement.bound->value;
  const std::string_view name = measurement.name;
  if (name == "cumulative regret" || name == "local cumulative regret")
    return bound >= worst.regret * worst.evaluations;
  if (name == "simple regret" || name == "local simple regret") return bound >= worst.regret;
  if (name == "rounds") return bound >= worst.evaluations;
  return false;
}

bool is_judged(const Measurement& measurement) {
  return measurement.bound && measurement.bound->kind != BoundKind::does_not_apply &&
         measurement.bound->strength != BoundStrength::order_only;
}

bool exceeds_bound(const Measurement& measurement) {
  if (!is_judged(measurement)) return false;
  if (measurement.bound->is_identity) return !(measurement.measured == measurement.bound->value);
  return measurement.bound->is_lower ? measurement.measured < measurement.bound->value
                                     : measurement.measured > measurement.bound->value;
}

std::string_view verdict(const Measurement& measurement, const WorstCase& worst) {
  if (!is_judged(measurement)) return "not judged";
  if (violated(measurement)) return "violated";
  if (exceeds_bound(measurement)) return "exceeded";
  return is_vacuous(measurement, worst) ? "vacuous" : "held";
}

}  // namespace posse
