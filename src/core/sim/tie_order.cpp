// SPDX-License-Identifier: Apache-2.0
#include "core/sim/tie_order.hpp"

#include "core/base/hash.hpp"
#include "core/random/stream.hpp"

namespace posse {

TieOrder::TieOrder(const SimulationSpec& spec, const Nodes& nodes, const Network& network)
    : nodes_(nodes), ties_(spec.network.ties), purpose_(seed_and_purpose(spec.seed, "tie")) {
  if (ties_.rule == Ties::Rule::keyed) purpose_ = hash_combine(purpose_, ties_.key);
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    const NodeId node{i};
    std::uint8_t where = 0;
    if (spec.order_matters_everywhere || !spec.protocol->why_order_matters(node).empty())
      where |= kRole;
    if (network.receive_line_drops(node)) where |= kLine;
    if (where == 0) continue;
    if (matters_.empty()) matters_.resize(nodes.size());
    matters_[i] = where;
  }
}

void TieOrder::sort(TiedEvents& tied, Time instant) const {
  const StreamKey stream{hash_combine(purpose_, nodes_.name_hash(tied.arrivals.front().node))};
  const bool chance = ties_.rule == Ties::Rule::fair || ties_.rule == Ties::Rule::keyed;
  tied.in_turn.reserve(tied.arrivals.size());
  for (Event& event : tied.arrivals) {
    const std::uint32_t source = event.source.value;
    std::uint64_t rank = source;
    if (ties_.rule == Ties::Rule::reversed) rank = ~rank;
    if (chance) rank = philox_block(stream, static_cast<std::uint64_t>(instant.ns), source).first;
    tied.in_turn.push_back({rank, &event});
  }
  tied.sorter.sort(tied.in_turn);
}

}  // namespace posse
