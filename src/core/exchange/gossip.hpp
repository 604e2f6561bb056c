// SPDX-License-Identifier: Apache-2.0
// Gossip: players exchange vectors in pairs and both go on with the mean, several steps in a row;
// then one of them tells the others what it has. Nobody gets all vectors, so this is inexact.
//
// In each step a random permutation pairs the players: the first with the second of it, the third
// with the fourth, and so on; with an odd number the last one stays alone. What a step does to the
// error is in core/theory/all_to_all_cost.hpp. Randomised pairwise averaging: Boyd, Ghosh,
// Prabhakar and Shah, Randomized gossip algorithms (2006); there one pair at a time.
//
// Streams, the same for all players: `gossip/pairs`, from draw 2^32 h + k for step k of exchange h;
// `gossip/decider`, draw h.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/base/ids.hpp"

namespace posse {

/// Whom the permutation pairs with player `self`; nobody: it stays alone.
std::optional<NodeId> paired_with(NodeId self, std::span<const std::uint32_t> permutation);

class GossipPlan {
 public:
  /// `players` >= 1.
  GossipPlan(Seed seed, std::uint32_t players, std::uint32_t steps)
      : seed_(seed), players_(players), steps_(steps) {}

  std::uint32_t steps() const { return steps_; }
  /// With whom `self` exchanges in step `step` of exchange `exchange`. O(players).
  std::optional<NodeId> partner(std::uint32_t exchange, std::uint32_t step, NodeId self) const;
  /// Who tells the others, each with the same probability.
  NodeId decider(std::uint32_t exchange) const;

 private:
  Seed seed_;
  std::uint32_t players_, steps_;
};

}  // namespace posse
