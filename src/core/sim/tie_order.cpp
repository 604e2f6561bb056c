// SPDX-License-Identifier: Apache-2.0
#include "core/sim/tie_order.hpp"

#include "core/base/hash.hpp"
#include "core/random/philox_row.hpp"
#include "core/random/stream.hpp"

namespace posse {
namespace {

/// The ranks of one instant's sources. Those of neighbours are computed together.
class SourceRanks {
 public:
  SourceRanks(StreamKey stream, Time instant)
      : stream_(stream), instant_(static_cast<std::uint64_t>(instant.ns)) {}
  std::uint64_t of(std::uint32_t source) {
    if (source < first_ || source - first_ >= kRowSize) {
      // A single one of its row is cheaper by itself.
      const bool goes_on = source - last_ < kRowSize;
      last_ = source;
      if (!goes_on) return philox_block(stream_, instant_, source).first;
      first_ = source;
      philox_row_of_tags(stream_, instant_, source, row_);
    }
    last_ = source;
    return row_[source - first_].first;
  }

 private:
  StreamKey stream_;
  std::uint64_t instant_;
  PhiloxRow row_;
  std::uint64_t first_ = ~std::uint64_t{0};  // of the row; greater than any source at first
  std::uint32_t last_ = 0;
};

}  // namespace

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
  SourceRanks drawn(stream, instant);
  tied.in_turn.reserve(tied.arrivals.size());
  for (Event& event : tied.arrivals) {
    const std::uint32_t source = event.source.value;
    std::uint64_t rank = source;
    if (ties_.rule == Ties::Rule::reversed) rank = ~rank;
    if (chance) rank = drawn.of(source);
    tied.in_turn.push_back({rank, &event});
  }
  tied.sorter.sort(tied.in_turn);
}

}  // namespace posse
