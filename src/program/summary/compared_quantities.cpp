// SPDX-License-Identifier: Apache-2.0
#include "program/summary/compared_quantities.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <limits>

#include "program/scenario/conditions.hpp"

namespace posse {
void for_compared_quantities(const Scenario& scenario,
                             const ScenarioResult& result,
                             const std::function<void(const Measured&)>& use) {
  const std::size_t algorithms = scenario.algorithms.size();
  const std::size_t repetitions = result.figures.size() / algorithms;
  const auto collect =
      [&](std::size_t quantity, std::optional<std::uint64_t> evaluations, const auto& value) {
        const Quantity& q = kQuantities[quantity];
        Measured measured{std::string(q.name), std::string(q.unit), evaluations, {}, q.ranked};
        measured.values.assign(algorithms, std::vector<std::optional<double>>(repetitions));
        for (std::size_t i = 0; i < result.figures.size(); ++i) {
          const auto& run = result.figures[i];
          if (run.finished()) measured.values[run.algorithm][i / algorithms] = value(run);
        }
        use(measured);
      };
  for (std::size_t q = 0; q < kQuantities.size(); ++q)
    collect(q, std::nullopt, [q](const RunFigures& run) { return run.finals[q]; });
  // Clients may differ in evaluations: checkpoints end with the busiest client of the algorithm
  // that evaluates least.
  std::uint64_t end = std::numeric_limits<std::uint64_t>::max();
  for (const auto& run : result.figures)
    if (run.finished() && run.max_evaluations > 0) end = std::min(end, run.max_evaluations);
  if (end == std::numeric_limits<std::uint64_t>::max()) return;
  for (std::size_t q = 0; q < kQuantitiesWithCurves; ++q)
    for (std::size_t power = 0; std::uint64_t{1} << power < end; ++power)
      collect(q, std::uint64_t{1} << power, [q, power](const RunFigures& run) {
        return run.at_checkpoint(q, power);
      });
}

StudyRun study_run(const Scenario& scenario, const RunFigures& run) {
  return {fmt::format("{:016x}", repetition_seed(scenario.seed, run.repetition).value),
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
  for (const auto& run : result.figures)
    study.cells[{0, run.algorithm}].add(study_run(scenario, run));
  return study;
}

}  // namespace posse
