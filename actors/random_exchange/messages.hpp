// SPDX-License-Identifier: Apache-2.0
// The message of random-exchange.
#pragma once

#include "core/role/message.hpp"

namespace posse {

/// The best point that a player has evaluated, and its reward.
struct Best {
  static constexpr std::string_view kName = "Best";
  std::vector<double> x;
  double reward = 0;
  std::uint64_t values() const { return x.size() + 1; }
  POSSE_FIELDS(x, reward)
};

}  // namespace posse
