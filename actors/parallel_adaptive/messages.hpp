// SPDX-License-Identifier: Apache-2.0
// The message of the parallel X-armed bandit with a grid of smoothness constants.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/role/message.hpp"

namespace posse {

/// One player's means of the cells of a round: 8 + 8n bytes, n values. A mean covers all
/// evaluations of the cell by this player, in the last round the fresh ones only. The cells are not
/// named, because all players follow the same plan.
struct SharedMeans {
  static constexpr std::string_view kName = "SharedMeans";
  std::uint32_t round = 0;
  std::vector<double> means;
  std::uint64_t values() const { return means.size(); }
  POSSE_FIELDS(round, means)
};

}  // namespace posse
