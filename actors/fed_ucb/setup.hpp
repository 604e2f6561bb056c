// SPDX-License-Identifier: Apache-2.0
// What all nodes of a Fed1-UCB or Fed2-UCB run share.
#pragma once

#include <cstdint>

#include "core/learner/arm_points.hpp"
#include "core/objective/problem.hpp"
#include "core/role/policy.hpp"

namespace posse {

struct FedUcbSetup {
  const Problem* problem;
  ArmPoints arms;
  std::uint32_t clients;          // M
  std::uint64_t budget;           // T
  std::uint64_t pulls_per_phase;  // f
  double sigma;
  double sigma_c;  // Fed2-UCB only
  bool joining;    // true for Fed2-UCB: clients join phase by phase
  Policy policy;

  /// Only the message with which a client joins says how long it plays.
  bool can_lose_state() const { return !joining; }
};

}  // namespace posse
