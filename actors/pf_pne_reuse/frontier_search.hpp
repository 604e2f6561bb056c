// One client's own search in PF-PNE with reuse: optimism over the leaves of a tree of cells, which
// starts from whatever samples there are.
//
// Ours (algorithm/pf_pne_reuse.hpp). The leaves cover all of the domain that may hold f_m's
// maximiser; each has the sum and number of its own rewards. With r = c sqrt(Lambda_h / n):
//   upper bound of a leaf (h, i)      U = mean + r + nu1 rho^h, +infinity without a sample
//   best lower bound of any cell      L = max(mean - r), inner cells included: f* is at least that
// A leaf with U < L is dropped. The leaf with the largest U is pulled, a quarter of its pulls at a
// time, until it has tau_h of them; then it is split. A single leaf is split as soon as it has a
// sample: there is nothing to tell it from. Ties: unsampled leaves first, the smallest depth, then
// index. From HCT (learner/hct.hpp), which never drops anything, it differs in L, in Lambda_h, and
// in bounds that belong to leaves alone: a parent's bound isn't handed down. Handed down it saves
// pulls where nu1, rho are valid; where they aren't, a bound that is too low then condemns cells
// which nobody has looked at, and the search ended at a wrong cell more often.
//
// On the event that every mean is within its radius whenever it is looked at, and given (A) for
// f_m, the leaf that holds the maximiser is never dropped: U >= f_m* >= f_m(x) >= L. If every leaf
// is dropped, the assumption fails, and the cell with the largest lower bound is pulled for good,
// as is a leaf at the partition's depth limit or with more children than there are pulls left.
//
// Cost: O(log leaves) per pull, O(k log leaves) per split; 40 bytes a leaf. Streams: none.
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

  /// The partition outlives the search.
  FrontierSearch(const Partition& partition, const theory::ReuseParameters& constants);

  /// A cell that is a leaf, with its rewards so far, maybe none. All cells come before next().
  void add_leaf(Cell cell, double sum, std::uint64_t count);
  /// An inner cell's rewards, count >= 1: a lower bound.
  void add_inner(Cell cell, double sum, std::uint64_t count);
  /// A cell whose children are leaves, with its own rewards, maybe none. Lowers `room` by as many;
  /// with too little room, or at the partition's depth limit, the cell stays a leaf itself: leaves
  /// without a sample come first, and more than there are pulls left would never be looked at.
  void add_parent(Cell cell, double sum, std::uint64_t count, std::uint64_t& room);

  /// What to pull now, at most `left` >= 1 pulls. Each call is followed by one call of tell().
  /// There is a leaf.
  Pulls next(std::uint64_t left);
  /// The sum of the rewards of the last next().
  void tell(double sum);

  /// The cell with the largest lower bound; the root before the first sample.
  Cell best() const { return best_; }
  /// Depth of the deepest cell that was split.
  std::uint32_t depth() const { return depth_; }
  /// True once every leaf was dropped: (A) fails, or a mean was outside its radius.
  bool refuted() const { return refuted_; }
  /// The leaves that aren't dropped, in ascending order; the best cell if all are.
  std::vector<Cell> leaves() const;

 private:
  struct Leaf {
    Cell cell;
    double sum = 0;
    std::uint64_t count = 0;
    double upper = 0;  // U
  };

  double upper(const Leaf& leaf) const;
  /// True if a is to be pulled after b.
  static bool after(const Leaf& a, const Leaf& b);
  void push(Leaf leaf);
  Leaf pop();
  /// The children of `parent`, which isn't a leaf any more, become leaves.
  void split(Cell parent);
  void note(Cell cell, double sum, std::uint64_t count);

  const Partition* partition_;
  theory::ReuseParameters constants_;
  std::vector<Leaf> heap_;  // the leaf to be pulled first at the front
  std::uint32_t depth_ = 0;
  double lower_;  // L
  Cell best_;
  bool refuted_ = false;
  Pulls pending_;
};

}  // namespace posse
