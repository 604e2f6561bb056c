// SPDX-License-Identifier: Apache-2.0
// When the faults of a run began and ended: faults.csv, and for charts.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "program/base/data_table.hpp"
#include "program/run/runner.hpp"

namespace posse {

/// A burst of losses as a fault that no [[fault]] states.
inline constexpr std::string_view kLossBurst = "loss burst";
/// From then on bursts may be missing: no more were looked for.
inline constexpr std::string_view kUnrecordedBurst = "unrecorded loss burst";

/// Columns: run, virtual_s, fault (its number in the run, from 0: links, then nodes; none of a loss
/// burst), kind, state (of a crash), event (begins, ends), nodes (a node's name, or the groups of
/// links). Refers to scenario and result.
DataTable faults_table(const Scenario& scenario, const ScenarioResult& result);

/// A fault while it lasts.
struct FaultSpan {
  std::string_view kind;  // "partition", "crash", …
  std::string nodes;      // a node's name, or the groups of links
  Time begin;
  std::optional<Time> end;  // none: until the run's end
};

/// The faults of a run, by their beginning.
std::vector<FaultSpan> fault_spans(const Scenario& scenario, const RunRecord& run);

}  // namespace posse
