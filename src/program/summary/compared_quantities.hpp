// SPDX-License-Identifier: Apache-2.0
// The measured quantities of a scenario's runs, arranged for comparisons: by quantity, algorithm
// and repetition.
#pragma once

#include <functional>

#include "program/run/runner.hpp"
#include "program/scenario/scenario.hpp"
#include "program/study/study.hpp"
#include "program/summary/comparison.hpp"

namespace posse {

/// Calls `use` for the quantities at the end of the runs that finished, in the order of
/// kQuantities, then for the regrets at the checkpoints (powers of two, below the end) that all
/// regret curves reach. A simple regret at a checkpoint is that of the last recommendation up to
/// it.
void for_compared_quantities(const Scenario& scenario,
                             const ScenarioResult& result,
                             const std::function<void(const Measured&)>& use);

/// What comparisons take of a run of the scenario.
StudyRun study_run(const Scenario& scenario, const RunFigures& run);

/// All runs, as one setting.
Study study_of(const Scenario& scenario, const ScenarioResult& result);

}  // namespace posse
