// Which links exist and how they are numbered. Both are computed, not stored, so that a million
// links need no memory.
#pragma once

#include <cstdint>

#include "core/base/check.hpp"
#include "core/base/ids.hpp"
#include "core/role/outcome.hpp"
#include "core/role/protocol.hpp"

namespace posse {

/// Number of a directed link, from 0 without gaps.
struct LinkId {
  std::uint32_t value = 0;
};

class LinkMap {
 public:
  LinkMap(Topology topology, std::uint32_t nodes) : topology_(topology), nodes_(nodes) {
    POSSE_CHECK(nodes >= 1);
  }

  std::uint64_t links() const {
    const std::uint64_t n = nodes_;
    return topology_ == Topology::star   ? 2 * (n - 1)
           : topology_ == Topology::none ? 0
                                         : n * (n - 1);
  }
  bool connected(NodeId from, NodeId to) const { return connected(from, to, 1); }
  /// From `from` to each of `count` >= 1 consecutive nodes.
  bool connected(NodeId from, NodeId first, std::uint32_t count) const {
    if (topology_ == Topology::none) return false;
    if (first.value >= nodes_ || count > nodes_ - first.value) return false;
    if (from.value >= first.value && from.value - first.value < count) return false;
    return topology_ == Topology::full_mesh || from.value == 0 || (first.value == 0 && count == 1);
  }
  /// Star: hub to leaf i is i-1, leaf i to hub is n-1 + i-1. Mesh: row by row.
  LinkId link(NodeId from, NodeId to) const {
    if (topology_ == Topology::star)
      return {from.value == 0 ? to.value - 1 : nodes_ - 1 + from.value - 1};
    return {from.value * (nodes_ - 1) + (to.value < from.value ? to.value : to.value - 1)};
  }
  NodeId from(LinkId link) const {
    if (topology_ == Topology::star) {
      return {link.value < nodes_ - 1 ? 0 : link.value - (nodes_ - 1) + 1};
    }
    return {link.value / (nodes_ - 1)};
  }
  NodeId to(LinkId link) const {
    if (topology_ == Topology::star) return {link.value < nodes_ - 1 ? link.value + 1 : 0};
    const std::uint32_t row = link.value / (nodes_ - 1), column = link.value % (nodes_ - 1);
    return {column < row ? column : column + 1};
  }
  Direction direction(NodeId from, NodeId to) const {
    if (topology_ == Topology::full_mesh) return Direction::peer;
    return from.value == 0 ? Direction::down : (to.value == 0 ? Direction::up : Direction::peer);
  }

 private:
  Topology topology_;
  std::uint32_t nodes_;
};

}  // namespace posse
