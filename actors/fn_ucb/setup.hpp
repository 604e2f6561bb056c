// SPDX-License-Identifier: Apache-2.0
// What all nodes of an FN-UCB run share.
#pragma once

#include <cstdint>

#include "actors/fn_ucb/neural_ucb.hpp"
#include "core/learner/arm_points.hpp"
#include "core/learner/relu_features.hpp"
#include "core/objective/problem.hpp"

namespace posse {

struct FnUcbSetup {
  const Problem* problem;
  ArmPoints arms;
  ReluFeatures features;
  std::uint32_t clients;  // M
  std::uint64_t budget;   // T
  FnUcbOptions options;
};

}  // namespace posse
