// SPDX-License-Identifier: Apache-2.0
// Checks of a scenario as a whole: parameters that must fit together, clients and repetitions
// missing from a file, names of nodes, message types and rounds that no algorithm has.
#pragma once

#include "program/scenario/scenario.hpp"

namespace posse {

/// What of a scenario was read without mistakes. Only that is checked against the rest, so that one
/// mistake doesn't cause others.
struct ReadParts {
  bool every_kind = true;        // each [[algorithm]] has a known kind
  std::vector<bool> algorithms;  // of scenario.algorithms: the table is right
  bool participants_and_budget = true;
};

/// Adds mistakes to `diagnostics`, and to each rule the algorithms on which it has no effect.
void check_scenario(Scenario& scenario, const ReadParts& read, Diagnostics& diagnostics);

}  // namespace posse
