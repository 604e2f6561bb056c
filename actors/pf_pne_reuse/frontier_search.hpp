// SPDX-License-Identifier: Apache-2.0
// The search of one client alone in PF-PNE with reuse: optimism over the leaves of a tree of cells,
// starting from the samples that the client already has.
//
// Posse's own (protocol.hpp). The leaves cover the part of the domain that may contain the
// maximiser of f_m. Each leaf has the sum and the number of its own rewards. With r = c
// sqrt(Lambda_h / n):
//   upper bound of a leaf (h, i)      U = mean + r + nu1 rho^h; +infinity without a sample
//   best lower bound of any cell      L = max(mean - r), including inner cells; f_m* >= L
// A leaf with U < L is eliminated. The leaf with the largest U is pulled, by a quarter of its pulls
// at a time, until it has tau_h of them; then it is split. A single remaining leaf is split as soon
// as it has a sample, because there is no leaf to compare it with. Ties: leaves without a sample
// first, then the smallest depth, then the smallest index.
//
// Differences from HCT (core/learner/hct.hpp), which never eliminates: the bound L, Lambda_h, and
// that a leaf does not inherit the upper bound of its parent. Inherited bounds save pulls where nu1
// and rho are valid. Where they are not, a bound that is too low excludes cells that were never
// sampled, and in our runs the search ended at a wrong cell more often.
//
// Consider the event that every mean is always within its radius. If (A) holds for f_m, the leaf
// with the maximiser is never eliminated: U >= f_m* >= L. If all leaves are eliminated, (A) or the
// event fails, and the cell with the largest lower bound is pulled from then on. A leaf at the
// partition's depth limit, or with more children than remaining pulls, is also pulled from then on.
//
// Cost: O(log leaves) per pull, O(k log leaves) per split; 40 bytes per leaf. Streams: none.
#pragma once

#include <cstdint>
#include <vector>

#include "actors/pf_pne_reuse/bounds.hpp"
#include "core/domain/cell.hpp"
#include "core/domain/partition.hpp"

namespace posse {

class FrontierSearch {
 public:
  struct Pulls {
    Cell cell;
    std::uint64_t count = 0;
  };

  /// `partition` must outlive the search.
  FrontierSearch(const Partition& partition, const theory::ReuseParameters& constants);

  /// Adds a leaf with its rewards so far, possibly none. All cells are added before next().
  void add_leaf(Cell cell, double sum, std::uint64_t count);
  /// Adds the rewards of an inner cell, count >= 1, which give a lower bound.
  void add_inner(Cell cell, double sum, std::uint64_t count);
  /// Adds a cell with its rewards, possibly none, and its children as leaves. Reduces `room`, the
  /// number of leaves that can still be added, by the number of children. With too little room, or
  /// at the partition's depth limit, the cell is added as a leaf itself: leaves without a sample
  /// are pulled first, so more of them than remaining pulls are of no use.
  void add_parent(Cell cell, double sum, std::uint64_t count, std::uint64_t& room);

  /// The next pulls, at most `left` >= 1. Each call must be followed by one call of tell(). There
  /// must be a leaf.
  Pulls next(std::uint64_t left);
  /// Takes the sum of the rewards of the pulls that next() returned.
  void tell(double sum);

  /// The cell with the largest lower bound; the root before the first sample.
  Cell best() const { return best_; }
  /// Depth of the deepest cell that was split.
  std::uint32_t depth() const { return depth_; }
  /// True once every leaf is eliminated: (A) fails, or a mean was outside its radius.
  bool refuted() const { return refuted_; }
  /// The leaves that are not eliminated, in ascending order; the best cell if there are none.
  std::vector<Cell> leaves() const;

 private:
  struct Leaf {
    Cell cell;
    double sum = 0;
    std::uint64_t count = 0;
    double upper = 0;  // U
  };

  double upper(const Leaf& leaf) const;
  /// Whether a is pulled after b.
  static bool after(const Leaf& a, const Leaf& b);
  void push(Leaf leaf);
  Leaf pop();
  /// Adds the children of `parent`, which is no longer a leaf, as leaves.
  void split(Cell parent);
  /// Updates L and the best cell with the rewards of a cell.
  void update_lower_bound(Cell cell, double sum, std::uint64_t count);

  const Partition* partition_;
  theory::ReuseParameters constants_;
  std::vector<Leaf> heap_;  // the leaf to pull first is at the front
  std::uint32_t depth_ = 0;
  double lower_;  // L
  Cell best_;
  bool refuted_ = false;
  Pulls pending_;
};

}  // namespace posse
