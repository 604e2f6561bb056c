// SPDX-License-Identifier: Apache-2.0
// A scenario and its reference run: what properties look at.
#pragma once

#include <optional>
#include <string>

#include "program/run/runner.hpp"
#include "program/scenario/scenario.hpp"

namespace posse {

struct Trial {
  std::string text;      // TOML
  std::string mistakes;  // of the reader; the rest is empty if there are any
  Scenario scenario;
  ScenarioResult result;  // serial kernel, with the fate of every message
};

/// Reads the scenario and runs it.
Trial make_trial(const std::string& text);

/// Runs a scenario; `threads` for all of its runs together.
ScenarioResult run_on(Kernel kernel,
                      const Scenario& scenario,
                      std::size_t threads = 1,
                      bool traced = false);

// Facts about a trial that properties and statistics share.

bool is_reliable(const Scenario& scenario);
/// The server policy is `all`, or there is none.
bool waits_for_all(const Scenario& scenario);
/// Some fault has no end.
bool has_endless_fault(const Scenario& scenario);
/// Some node may lose its state.
bool loses_state(const Scenario& scenario);
/// Some node may send wrong numbers.
bool has_liars(const Scenario& scenario);
/// The limit of events ended the run, at a moment that differs between kernels.
bool reached_event_limit(const Scenario& scenario, const RunRecord& run);
/// Whether the order in which messages arrive may be a part of the algorithm. One from outside has
/// to say that it is not (Protocol::waits_for_all).
bool order_may_decide(const Scenario& scenario, const AlgorithmEntry& entry);
/// Whether no message of the run was lost for good: a reliable transport may lose none, without it
/// none was lost.
bool all_messages_arrive(const Scenario& scenario, const RunOutcome& outcome);
/// Why the run's decisions must be those of the fault-free run (the contract's section on faults);
/// nothing if they need not be.
bool promises_equal_decisions(const Scenario& scenario, const RunRecord& run);

}  // namespace posse
