// SPDX-License-Identifier: Apache-2.0
// What all nodes of a BLiN run share.
#pragma once

#include <cstdint>

#include "actors/blin/bounds.hpp"
#include "core/domain/partition.hpp"
#include "core/objective/problem.hpp"
#include "core/role/policy.hpp"

namespace posse {

struct BlinSetup {
  const Problem* problem;
  Partition partition;            // dimwise
  std::uint32_t clients;          // M
  std::uint64_t budget;           // T
  theory::BlinParameters theory;  // T, d, L, the number of clients that share a cube's pulls
  Policy policy;

  /// True if a client with `left` evaluations cannot complete `cubes` cubes of this batch.
  bool ends_the_run(std::uint32_t batch, std::uint64_t cubes, std::uint64_t left) const {
    return batch > partition.max_depth() + 1 || theory::blin_pulls(theory, batch) > left / cubes;
  }
  /// Depth of a batch's cells.
  std::uint32_t depth(std::uint32_t batch) const {
    return batch > partition.max_depth() ? partition.max_depth() : batch - 1;
  }
};

}  // namespace posse
