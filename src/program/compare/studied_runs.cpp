// SPDX-License-Identifier: Apache-2.0
#include "program/compare/studied_runs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "program/base/text.hpp"
#include "program/scenario/conditions.hpp"

namespace posse {

StudyRun study_run(const Scenario& scenario, const RunFigures& run) {
  return {hexadecimal(repetition_seed(scenario.seed, run.repetition).value),
          run.finished(),
          run.finished() ? run.finals : Finals(),
          run.facts,
          run.warnings};
}

Study study_of(const Scenario& scenario, const ScenarioResult& result) {
  Study study;
  study.name = scenario.name;
  study.conditions = conditions_text(scenario);
  study.settings = {""};
  study.keys.resize(1);
  for (const auto& entry : scenario.algorithms) study.algorithms.push_back(entry.label);
  for (const auto& run : result.figures) study.add(0, run.algorithm, study_run(scenario, run));
  return study;
}

std::vector<CommonComparison> compare_algorithms(const ScenarioResult& result, const Study& study) {
  std::vector<CommonComparison> comparisons;
  const auto add = [&](std::size_t quantity,
                       std::optional<std::uint64_t> evaluations,
                       const std::vector<RunValues>& values) {
    if (auto common = compare_in_common(quantity, evaluations, values))
      comparisons.push_back(std::move(*common));
  };
  for (const auto q : study.quantities()) {
    if (comparable_measure(study, q) != q) continue;
    std::vector<RunValues> values(study.algorithms.size());
    for (std::size_t a = 0; a < values.size(); ++a)
      if (const StudyCell* cell = study.find(0, a)) values[a] = cell->values(q);
    add(q, std::nullopt, values);
  }
  // Clients may differ in evaluations: checkpoints end with the busiest client of the algorithm
  // that evaluates least.
  constexpr auto kNone = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t end = kNone;
  for (const auto& run : result.figures)
    if (run.finished() && run.max_evaluations > 0) end = std::min(end, run.max_evaluations);
  for (std::size_t q = 0; q < kQuantitiesWithCurves && end != kNone; ++q)
    for (std::size_t power = 0; std::uint64_t{1} << power < end; ++power) {
      std::vector<RunValues> values(study.algorithms.size());
      for (const auto& run : result.figures)
        if (const auto value = run.finished() ? run.at_checkpoint(q, power) : std::nullopt;
            value && std::isfinite(*value)) {
          RunValues& own = values[run.algorithm];
          own.emplace_hint(own.end(), run.repetition, *value);
        }
      add(q, std::uint64_t{1} << power, values);
    }
  return comparisons;
}

}  // namespace posse
