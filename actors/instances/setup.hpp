// SPDX-License-Identifier: Apache-2.0
// What all nodes of a POO, GPO, PCT or VPCT run share.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/ids.hpp"
#include "core/domain/partition.hpp"
#include "core/learner/tree_learners.hpp"
#include "core/objective/problem.hpp"
#include "core/role/protocol.hpp"

namespace posse {

inline constexpr NodeId kHub{0};
inline constexpr NodeId kFirstInstance{1};
/// The client that all instances and the hub evaluate for.
inline constexpr std::uint32_t kOnlyClient = 0;

/// One pass: the evaluations of the instances first, first + 1, …
struct InstancePass {
  std::uint32_t first = 0;
  std::vector<std::uint64_t> evaluations;
};

struct InstancesSetup {
  const Problem* problem;
  Partition partition;
  TreeKind kind;
  std::vector<TreeLearnerOptions> options;  // by instance; nu and rho are sent in Start
  std::vector<InstancePass> passes;
  std::vector<std::uint64_t> totals;  // evaluations of each instance over all passes
  bool check = false;                 // true for GPO, which evaluates recommendations again
  std::uint64_t rest = 0;             // evaluations left for the hub
  ComparisonFacts facts{.widths = Widths::theory};
};

}  // namespace posse
