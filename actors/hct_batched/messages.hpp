// SPDX-License-Identifier: Apache-2.0
// The messages of batched HCT; the uploads are LocalMeans and LocalMoments of actors/common.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/role/message.hpp"

namespace posse {

/// A cell and how often a client evaluates it.
struct PlannedPulls {
  std::uint32_t depth = 0;
  std::uint64_t index = 1;
  std::uint32_t pulls = 0;
  POSSE_FIELDS(depth, index, pulls)
};

/// The plan of a batch: 8 + 16n bytes for n cells, and 2n values, a cell and a count each.
struct PullPlan {
  static constexpr std::string_view kName = "PullPlan";
  std::uint32_t batch = 0;
  std::vector<PlannedPulls> cells;
  std::uint64_t values() const { return 2 * cells.size(); }
  POSSE_FIELDS(batch, cells)
};

}  // namespace posse
