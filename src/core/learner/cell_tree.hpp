// SPDX-License-Identifier: Apache-2.0
// The cells that a tree learner has visited, in one flat array: no allocation per cell, parents
// before their children, siblings linked in ascending order.
//
// A child that was never visited is not stored; its U and B are +infinity. Memory is therefore
// linear in the number of evaluations for any arity. Cost: O(k) per level of a walk.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/base/check.hpp"
#include "core/base/math.hpp"
#include "core/domain/partition.hpp"
#include "core/learner/choices.hpp"

namespace posse {

/// One cell of a learner's tree, for reports and tests.
struct CellState {
  Cell cell;
  std::uint64_t pulls = 0;  // as the learner counts: HOO over the subtree, HCT of the cell itself
  double mean = 0;
  double upper = std::numeric_limits<double>::infinity();  // U
  double b = std::numeric_limits<double>::infinity();      // B
};

/// nu rho^h for h = 0 … deepest.
inline std::vector<double> smoothness_by_depth(double nu, double rho, std::uint32_t deepest) {
  POSSE_CHECK(nu > 0 && rho > 0 && rho < 1, "nu {}, rho {}", nu, rho);
  std::vector<double> smoothness;
  for (std::uint32_t h = 0; h <= deepest; ++h) smoothness.push_back(nu * math::pow(rho, h));
  return smoothness;
}

/// `Statistics`: what the learner knows of a visited cell.
template <class Statistics>
class CellTree {
 public:
  using Id = std::uint32_t;
  static constexpr Id kNone = std::numeric_limits<Id>::max();
  static constexpr Id kRoot = 0;

  struct Node : Statistics {
    std::uint64_t index = 1;
    std::uint32_t depth = 0;
    Id first_child = kNone;
    Id next_sibling = kNone;
    std::uint32_t children = 0;  // visited ones
    Cell cell() const { return {depth, index}; }
  };

  explicit CellTree(const Partition& partition)
      : arity_(partition.children_per_cell()), nodes_(1) {}

  Id size() const { return static_cast<Id>(nodes_.size()); }
  /// Depth of the deepest cell.
  std::uint32_t depth() const { return depth_; }
  Node& operator[](Id id) { return nodes_[id]; }
  const Node& operator[](Id id) const { return nodes_[id]; }

  /// If false, some child is outside the tree, and its B is +infinity.
  bool has_all_children(const Node& node) const { return node.children == arity_; }

  /// The child of `parent` with the largest B, where value(id) gives the B of a child in the tree.
  /// A child outside the tree, whose B is +infinity, is added to the tree.
  template <class Value>
  Id descend(Id parent, TieBreaker& ties, Value value) {
    if (!has_all_children(nodes_[parent]))
      return add_child(parent, ties.pick(arity_ - nodes_[parent].children));
    Id best = nodes_[parent].first_child;
    double most = value(best);
    std::uint32_t equals = 1;
    for (Id id = nodes_[best].next_sibling; id != kNone; id = nodes_[id].next_sibling) {
      const double b = value(id);
      if (b > most) {
        best = id;
        most = b;
        equals = 1;
      } else if (b == most) {
        ++equals;
      }
    }
    for (std::uint32_t rank = ties.pick(equals); rank > 0; --rank) {
      do {
        best = nodes_[best].next_sibling;
      } while (value(best) != most);
    }
    return best;
  }

  /// kNone if the cell is outside the tree. O(k depth).
  Id find(const Partition& partition, Cell cell) const {
    if (cell.depth == 0) return kRoot;
    const Id parent = find(partition, partition.parent(cell));
    if (parent == kNone) return kNone;
    Id id = nodes_[parent].first_child;
    while (id != kNone && nodes_[id].index != cell.index) id = nodes_[id].next_sibling;
    return id;
  }

  /// Adds the child `index` of `parent`, which must be outside the tree. O(k).
  Id insert(Id parent, std::uint64_t index) {
    Id before = kNone;
    Id after = nodes_[parent].first_child;
    while (after != kNone && nodes_[after].index < index) {
      before = after;
      after = nodes_[after].next_sibling;
    }
    POSSE_CHECK(after == kNone || nodes_[after].index != index, "cell {} is there", index);
    return link(parent, index, before, after);
  }

  /// All cells below `parent` become cells that were never visited; visit(id) is called for each of
  /// them first. Their places in the array stay unused. O(cells below).
  template <class Visit>
  void forget_below(Id parent, Visit visit) {
    std::vector<Id> left{parent};
    while (!left.empty()) {
      const Id above = left.back();
      left.pop_back();
      for (Id id = nodes_[above].first_child; id != kNone; id = nodes_[id].next_sibling) {
        visit(id);
        left.push_back(id);
      }
    }
    nodes_[parent].first_child = kNone;
    nodes_[parent].children = 0;
  }

  /// The largest value(id) of all children of `node`; +infinity if one is outside the tree.
  template <class Value>
  double most_of_children(const Node& node, Value value) const {
    if (!has_all_children(node)) return std::numeric_limits<double>::infinity();
    double most = -std::numeric_limits<double>::infinity();
    for (Id id = node.first_child; id != kNone; id = nodes_[id].next_sibling)
      most = std::max(most, value(nodes_[id]));
    return most;
  }

 private:
  /// Adds the child with rank `rank`, from 0, among the children outside the tree.
  Id add_child(Id parent, std::uint32_t rank) {
    const std::uint64_t first_index = (nodes_[parent].index - 1) * arity_ + 1;
    std::uint64_t index = first_index;  // the next one that isn't known to be in the tree
    Id before = kNone;
    Id after = nodes_[parent].first_child;
    for (; after != kNone; after = nodes_[after].next_sibling) {
      const std::uint64_t outside = nodes_[after].index - index;
      if (rank < outside) break;
      rank -= static_cast<std::uint32_t>(outside);
      index = nodes_[after].index + 1;
      before = after;
    }
    return link(parent, index + rank, before, after);
  }

  /// Adds a child between its siblings `before` and `after`.
  Id link(Id parent, std::uint64_t index, Id before, Id after) {
    POSSE_CHECK(nodes_.size() < kNone, "a tree of {} cells is full", nodes_.size());
    const Id id = size();
    Node node;
    node.index = index;
    node.depth = nodes_[parent].depth + 1;
    depth_ = std::max(depth_, node.depth);
    node.next_sibling = after;
    nodes_.push_back(node);
    ++nodes_[parent].children;
    (before == kNone ? nodes_[parent].first_child : nodes_[before].next_sibling) = id;
    return id;
  }

  std::uint32_t arity_;
  std::uint32_t depth_ = 0;
  std::vector<Node> nodes_;
};

}  // namespace posse
