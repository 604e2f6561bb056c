// SPDX-License-Identifier: Apache-2.0
// faults.csv: when the faults of a run began and ended.
#pragma once

#include "program/base/data_table.hpp"
#include "program/run/runner.hpp"

namespace posse {

/// Columns: run, virtual_s, fault (its number in the run, from 0: links, then nodes), kind, state
/// (of a crash), event (begins, ends), nodes (a node's name, or the groups of links). Refers to
/// scenario and result.
DataTable faults_table(const Scenario& scenario, const ScenarioResult& result);

}  // namespace posse
