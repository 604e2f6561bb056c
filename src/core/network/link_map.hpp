// SPDX-License-Identifier: Apache-2.0
// Which links exist and how they are numbered. Both are computed, not stored, so that a million
// links need no memory.
#pragma once

#include <cstdint>

#include "core/base/check.hpp"
#include "core/base/ids.hpp"
#include "core/role/hierarchy.hpp"
#include "core/role/outcome.hpp"
#include "core/role/protocol.hpp"

namespace posse {

/// Number of a directed link, from 0 without gaps.
struct LinkId {
  std::uint32_t value = 0;
};

class LinkMap {
 public:
  /// `edges`: of a hierarchy.
  LinkMap(Topology topology, std::uint32_t nodes, std::uint32_t edges = 0)
      : topology_(topology), nodes_(nodes), tree_{nodes - 1 - edges, edges} {
    POSSE_CHECK(nodes >= 1);
    POSSE_CHECK(topology != Topology::hierarchy || (edges >= 1 && edges <= (nodes - 1) / 2),
                "{} edges among {} nodes",
                edges,
                nodes);
  }

  std::uint64_t links() const {
    const std::uint64_t n = nodes_;
    return has_hub(topology_) ? 2 * (n - 1) : topology_ == Topology::none ? 0 : n * (n - 1);
  }
  bool connected(NodeId from, NodeId to) const { return connected(from, to, 1); }
  /// From `from` to each of `count` >= 1 consecutive nodes.
  bool connected(NodeId from, NodeId first, std::uint32_t count) const {
    if (topology_ == Topology::none) return false;
    if (first.value >= nodes_ || count > nodes_ - first.value) return false;
    if (from.value >= first.value && from.value - first.value < count) return false;
    if (topology_ == Topology::full_mesh) return true;
    if (topology_ == Topology::star)
      return from.value == 0 || (first.value == 0 && count == 1);  // a receiver is another node
    if (first < from) return count == 1 && tree_.above(from) == first;
    // The nodes below a node are consecutive.
    return tree_.above(first) == from && tree_.above({first.value + count - 1}) == from;
  }
  /// Star and hierarchy: down to node i is i-1, up from node i is n-1 + i-1. Mesh: row by row.
  LinkId link(NodeId from, NodeId to) const {
    if (has_hub(topology_)) return {from < to ? to.value - 1 : nodes_ - 1 + from.value - 1};
    return {from.value * (nodes_ - 1) + (to.value < from.value ? to.value : to.value - 1)};
  }
  /// The link from its receiver to its sender.
  LinkId back(LinkId link) const {
    if (has_hub(topology_)) {
      const std::uint32_t up = nodes_ - 1;
      return {goes_down(link) ? link.value + up : link.value - up};
    }
    return this->link(to(link), from(link));
  }
  NodeId from(LinkId link) const {
    if (has_hub(topology_)) return goes_down(link) ? tree_.above(below(link)) : below(link);
    return {link.value / (nodes_ - 1)};
  }
  NodeId to(LinkId link) const {
    if (has_hub(topology_)) return goes_down(link) ? below(link) : tree_.above(below(link));
    const std::uint32_t row = link.value / (nodes_ - 1), column = link.value % (nodes_ - 1);
    return {column < row ? column : column + 1};
  }
  /// How many others a node has links to; as many have links to it.
  std::uint32_t degree(NodeId node) const {
    if (topology_ == Topology::none) return 0;
    if (topology_ == Topology::full_mesh) return nodes_ - 1;
    if (topology_ == Topology::star) return node.value == 0 ? nodes_ - 1 : 1;
    return tree_.degree(node);
  }
  /// Of two nodes with a link.
  Direction direction(NodeId from, NodeId to) const {
    if (!has_hub(topology_)) return Direction::peer;
    return from < to ? Direction::down : Direction::up;
  }
  const Hierarchy& tree() const { return tree_; }

 private:
  bool goes_down(LinkId link) const { return link.value < nodes_ - 1; }
  /// The end that is further from the hub.
  NodeId below(LinkId link) const { return {link.value % (nodes_ - 1) + 1}; }

  Topology topology_;
  std::uint32_t nodes_;
  Hierarchy tree_;  // star and hierarchy
};

}  // namespace posse
