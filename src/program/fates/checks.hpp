// SPDX-License-Identifier: Apache-2.0
// The checks behind the properties: each says what is wrong with a trial, or nothing.
#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>

#include "program/fates/trial.hpp"

namespace posse::fates {

using Finding = std::optional<std::string>;

// Of the reference run.
Finding rejected(const Trial& trial);
Finding failed(const Trial& trial);
Finding breaks_bound(const Trial& trial);
Finding stalls_without_reason(const Trial& trial);
Finding ledger_wrong(const Trial& trial);
Finding arrives_too_soon(const Trial& trial);
Finding counts_samples_twice(const Trial& trial);
Finding decides_early(const Trial& trial);
Finding rounds_wrong(const Trial& trial);
Finding path_wrong(const Trial& trial);
Finding delivers_twice(const Trial& trial);
Finding exceeds_plan(const Trial& trial);

// Of the scenario, run again in other ways.
Finding differs_on_another_kernel(const Trial& trial);
Finding differs_when_resolved(const Trial& trial);
Finding faults_change_decisions(const Trial& trial);
Finding exchange_changes_decisions(const Trial& trial);
Finding edges_change_decisions(const Trial& trial);
Finding record_happens_otherwise(const Trial& trial);
Finding late_answers_change_decisions(const Trial& trial);
Finding ties_change_decisions(const Trial& trial);
Finding does_not_cancel(const Trial& trial);

// Why a property is not checked for the trial's first algorithm.
Finding order_decides(const Trial& trial);
Finding delays_may_decide(const Trial& trial);
Finding equal_times_decide(const Trial& trial);
Finding timers_decide_early(const Trial& trial);

/// The accounts of a run against its message records.
Finding unbalanced(const RunRecord& run, const std::optional<Wire>& stack);

/// Applies a check to every run of the trial; the first finding, with the run's name.
template <class Check>
Finding in_each_run(const Trial& trial, Check check) {
  for (const RunRecord& run : trial.result.runs)
    if (const Finding found = check(run))
      return fmt::format("{}, repetition {}: {}",
                         trial.scenario.algorithms[run.algorithm].label,
                         run.repetition,
                         *found);
  return std::nullopt;
}

inline std::string sides(std::string_view what, auto a, auto b) {
  return fmt::format("{}: {} and {}", what, a, b);
}

}  // namespace posse::fates
