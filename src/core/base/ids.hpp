// SPDX-License-Identifier: Apache-2.0
// Strong integer types for nodes, rounds, timers and seeds.
#pragma once

#include <compare>
#include <cstdint>

namespace posse {

/// Index of a node in the run, from 0 without gaps. The order of ids is part of the event order.
struct NodeId {
  std::uint32_t value = 0;
  constexpr auto operator<=>(const NodeId&) const = default;
};

/// One synchronous exchange, counted as in the paper that defines the algorithm; 0: outside rounds.
struct Round {
  std::uint32_t value = 0;
  constexpr auto operator<=>(const Round&) const = default;
};

/// Identifies a timer of one node.
struct TimerId {
  std::uint32_t value = 0;
  constexpr auto operator<=>(const TimerId&) const = default;
};

/// The seed. Seed and scenario together determine every bit of a run.
struct Seed {
  std::uint64_t value = 0;
  constexpr auto operator<=>(const Seed&) const = default;
};

}  // namespace posse
