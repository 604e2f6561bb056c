// SPDX-License-Identifier: Apache-2.0
// A scenario's runs as a study.
#pragma once

#include <vector>

#include "program/compare/comparison.hpp"
#include "program/compare/study.hpp"
#include "program/run/runner.hpp"
#include "program/scenario/scenario.hpp"

namespace posse {

/// What comparisons take of a run of the scenario.
StudyRun study_run(const Scenario& scenario, const RunFigures& run);

/// All runs, as one setting.
Study study_of(const Scenario& scenario, const ScenarioResult& result);

/// The algorithms compared by what can be (comparable_measure) of the quantities at the end of the
/// runs that finished, in the order of kQuantities, then by their regrets at the checkpoints
/// (powers of two, below the end) that all regret curves reach. A simple regret at a checkpoint is
/// that of the last recommendation up to it. `study` is that of the runs.
std::vector<CommonComparison> compare_algorithms(const ScenarioResult& result, const Study& study);

}  // namespace posse
