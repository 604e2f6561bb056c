// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/gossip.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/base/check.hpp"
#include "core/random/stream.hpp"

namespace posse {
namespace {

/// Uniform on 0 … n - 1.
std::uint32_t below(std::uint32_t n, double u) { return static_cast<std::uint32_t>(u * n); }

}  // namespace

std::optional<NodeId> paired_with(NodeId self, std::span<const std::uint32_t> permutation) {
  const auto it = std::find(permutation.begin(), permutation.end(), self.value);
  POSSE_CHECK(it != permutation.end(), "player {} is not in the permutation", self.value);
  const auto other = static_cast<std::size_t>(it - permutation.begin()) ^ 1;
  if (other >= permutation.size()) return std::nullopt;
  return NodeId{permutation[other]};
}

std::optional<NodeId> GossipPlan::partner(std::uint32_t exchange,
                                          std::uint32_t step,
                                          NodeId self) const {
  std::vector<std::uint32_t> permutation(players_);
  std::iota(permutation.begin(), permutation.end(), 0);
  DrawEngine draws(stream_key(seed_, "gossip", "pairs"), (std::uint64_t{exchange} << 32) + step);
  for (std::uint32_t left = players_; left > 1; --left)
    std::swap(permutation[left - 1], permutation[below(left, draws.uniform())]);
  return paired_with(self, permutation);
}

NodeId GossipPlan::decider(std::uint32_t exchange) const {
  UniformStream draws(stream_key(seed_, "gossip", "decider"));
  return NodeId{below(players_, draws.at(exchange))};
}

}  // namespace posse
