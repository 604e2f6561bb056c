// SPDX-License-Identifier: Apache-2.0
// An arm's news that it has lost its state in a crash: the agent asks again for what is under way.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/role/message.hpp"

namespace posse {

/// 0 bytes, 0 values, round 0.
struct Restarted {
  static constexpr std::string_view kName = "Restarted";
  std::uint64_t values() const { return 0; }
  POSSE_FIELDS()
};

/// How arms take part again: the text of AlgorithmSpec::state_loss.
inline constexpr std::string_view kArmsLoseState =
    "an arm that lost its state says so when it restarts, and the agent asks again for the pulls "
    "under way";

}  // namespace posse
