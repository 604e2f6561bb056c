// Strong integer types for what the kernel counts and names.
#pragma once

#include <compare>
#include <cstdint>

namespace posse {

/// A node's position in the run: dense, from 0; the order of ids is part of the event order.
struct NodeId {
  std::uint32_t value = 0;
  constexpr auto operator<=>(const NodeId&) const = default;
};

/// One synchronous exchange as the paper that defines the algorithm counts it; 0 = outside rounds.
struct Round {
  std::uint32_t value = 0;
  constexpr auto operator<=>(const Round&) const = default;
};

/// Names a timer of one node.
struct TimerId {
  std::uint32_t value = 0;
  constexpr auto operator<=>(const TimerId&) const = default;
};

/// The seed that, with the scenario, fixes every bit of a run.
struct Seed {
  std::uint64_t value = 0;
  constexpr auto operator<=>(const Seed&) const = default;
};

}  // namespace posse
