// SPDX-License-Identifier: Apache-2.0
// What the numbers of one run don't say by themselves.
#pragma once

#include <cstdint>
#include <vector>

#include "core/objective/problem.hpp"
#include "core/sim/simulation.hpp"
#include "program/base/warning.hpp"
#include "program/scenario/scenario.hpp"

namespace posse {

/// The share of messages up to which needless repetitions aren't told. A time-out that follows from
/// means repeats some where latencies vary.
constexpr double few_needless(bool stated_time_out) { return stated_time_out ? 0.01 : 0.1; }

/// Of a run that has ended: changed by hand; decisions before the evaluations that they rest on;
/// evaluations after the end; nodes whose answers never counted; stragglers without work; values
/// that the budget can't reach; noise that is cut; values above the maximum that regrets refer to,
/// or a maximum that is only assumed; clients whose numbers of evaluations differ; messages that
/// were sent again needlessly.
std::vector<Warning> run_warnings(const SimulationResult& result,
                                  const Workload& workload,
                                  const Retransmission& retransmission = {});
/// Of a run that has finished: faults of the scenario that had not begun by then, or did nothing.
std::vector<Warning> fault_warnings(const Scenario& scenario,
                                    const AlgorithmEntry& entry,
                                    std::uint32_t repetition,
                                    const SimulationResult& result);
/// Of a run: losses by type, of types that were not sent.
std::vector<Warning> loss_warnings(const Scenario& scenario,
                                   const AlgorithmEntry& entry,
                                   const RunOutcome& outcome);
/// Of a run: a hub that sends or receives more than one link could carry.
std::vector<Warning> rate_warnings(const Scenario& scenario,
                                   const AlgorithmEntry& entry,
                                   Topology topology,
                                   const SimulationResult& result);
/// Of all runs of an algorithm: entries of the scenario that do nothing to it; more pulls than the
/// budget; what its arms say of themselves; bursts of loss that back-off keeps from ending;
/// durations whose floor moves their mean.
std::vector<Warning> scenario_warnings(const Scenario& scenario, std::size_t algorithm);

}  // namespace posse
