// SPDX-License-Identifier: Apache-2.0
// Messages of bandits with heavy-tailed rewards.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/role/message.hpp"

namespace posse {

/// Asks an arm for `count` rewards.
struct Draw {
  static constexpr std::string_view kName = "Draw";
  std::uint32_t count = 0;
  std::uint64_t values() const { return 1; }
  POSSE_FIELDS(count)
};

/// The rewards, in the order of drawing.
struct Rewards {
  static constexpr std::string_view kName = "Rewards";
  Tail rewards;
  std::uint64_t values() const { return rewards.numbers.size(); }
  POSSE_FIELDS(rewards)
};

}  // namespace posse
