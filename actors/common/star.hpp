// SPDX-License-Identifier: Apache-2.0
// Node numbers in a star: the hub (server or agent) comes first. In a hierarchy the edges come
// before the clients (core/role/hierarchy.hpp).
#pragma once

#include <cstdint>
#include <limits>

#include "core/base/ids.hpp"

namespace posse {

inline constexpr NodeId kServer{0};
inline constexpr NodeId kFirstClient{1};
inline constexpr NodeId kAgent{0};

/// The largest number of pulls per client: messages hold counts of 4 bytes.
inline constexpr std::uint64_t kLargestBudget = std::numeric_limits<std::uint32_t>::max() - 1;

/// The node of arm number `arm`, from 0.
constexpr NodeId node_of_arm(std::uint32_t arm) { return NodeId{arm + 1}; }

}  // namespace posse
