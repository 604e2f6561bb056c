// SPDX-License-Identifier: Apache-2.0
// Interventions of users in runs, recorded so that the runs can be repeated.
#pragma once

#include "program/base/data_table.hpp"
#include "program/run/runner.hpp"
#include "program/scenario/scenario.hpp"

namespace posse {

/// The scenario with every cut of links and every stop of nodes as a [[fault]] of its run: running
/// it gives the same results without a user.
Scenario with_interventions(const Scenario& scenario, const ScenarioResult& result);

/// Columns run, virtual_s, action, amount, unit, groups; spaces between names, " | " between
/// groups. Refers to scenario and result.
DataTable interventions_table(const Scenario& scenario, const ScenarioResult& result);

}  // namespace posse
