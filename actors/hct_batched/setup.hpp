// SPDX-License-Identifier: Apache-2.0
// What all nodes of a run of batched HCT share.
#pragma once

#include <cstdint>
#include <memory>

#include "actors/hct_batched/batches.hpp"
#include "actors/learners/hct_kind.hpp"
#include "core/objective/problem.hpp"
#include "core/role/policy.hpp"

namespace posse {

struct HctBatchedSetup {
  const Problem* problem;
  std::shared_ptr<const HctKind> kind;
  bool variance;          // VHCT: clients upload variances, too
  std::uint32_t clients;  // M
  BatchSizes sizes;
  Policy policy;
};

}  // namespace posse
