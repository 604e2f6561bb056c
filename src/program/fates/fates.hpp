// SPDX-License-Identifier: Apache-2.0
// Every fate of a small scenario: it is run again from the start with each single thing that can go
// wrong, then with each pair, and so on, in the manner of a model checker (DSLabs, stateright;
// roles can't be cloned, so each schedule is a run of its own).
//
// What can go wrong is read from the run before: the loss of each message; each message held up
// until after a later one that reaches the same node; a crash of each node at each of its events,
// with and where possible without its state. Each of them is a [[network.drop]] or a [[fault]] of
// the scenario, so a schedule is a scenario. Later deviations begin after earlier ones. Runs that
// end alike (fingerprint) are continued once.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "program/fates/properties.hpp"

namespace posse {

struct FateOptions {
  std::uint64_t most = 10'000;  // schedules
  std::uint32_t depth = 2;      // deviations in a schedule
};

struct FateReport {
  std::string mistakes;  // of the scenario; the rest is empty if there are any
  std::uint64_t schedules = 0;
  bool complete = false;                            // up to the depth
  std::map<std::string, std::uint64_t> deviations;  // by kind, of the schedules' last one
  std::map<std::string, std::uint64_t> ends;        // schedules, by status of the run
  std::uint64_t outcomes = 0;                       // different fingerprints
  std::uint32_t reached = 0;                        // deviations in the longest schedule
  std::optional<PropertyViolation> violation;       // of a shortest schedule that has one
  std::string counterexample;                       // that schedule as a scenario
};

/// Stops at the first violation, which no shorter schedule has. Depth 0: the scenario alone. Only
/// the first algorithm and repetition count. `property`: only this one; empty: all.
FateReport every_fate(const std::string& text,
                      const FateOptions& options,
                      std::string_view property = {});

}  // namespace posse
