// SPDX-License-Identifier: Apache-2.0
// faults.csv: when the faults of a run began and ended.
#pragma once

#include <string>

#include "program/run/runner.hpp"

namespace posse {

bool any_faults(const ScenarioResult& result);

/// Columns: run, virtual_s, fault (its number in the run, from 0: links, then nodes), kind, event
/// (begins, ends), nodes (a node's name, or the groups of links).
std::string faults_csv(const Scenario& scenario, const ScenarioResult& result);

}  // namespace posse
