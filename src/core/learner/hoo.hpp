// SPDX-License-Identifier: Apache-2.0
// HOO: hierarchical optimistic optimisation, exact and without a known horizon.
//
// Paper: Bubeck, Munos, Stoltz & Szepesvári, "X-armed bandits" (JMLR 2011), section 3.
//   nu, rho      smoothness, nu > 0, 0 < rho < 1 (defaults 1, 0.5)
//   N, mean      pulls in the cell's subtree and the mean of their rewards
// After round t: U = mean + sqrt(2 ln t / N) + nu rho^h, B = min(U, max of the children's B),
// +infinity outside the tree. A round walks from the root to the child with the largest B until it
// leaves the tree; the cell it reached joins the tree and is pulled; the reward counts for every
// cell on the path. A cell at the partition's depth limit is pulled again.
//
// ln t changes every U in every round, so a direct implementation costs O(t) per round. This one
// costs O(k depth) and the changes of critical cells, with the same B in every bit (see PAPERS.md,
// hoo-1):
//   Let s = sqrt(2 ln t). While its subtree is not pulled, U of a cell is a linear function of s,
//   (mean + nu rho^h) + s / sqrt(N), and B equals the U of one cell in the subtree, the *critical*
//   cell. It changes only where two such lines cross. A cell therefore stores its critical cell and
//   a value of s until which that cell stays critical (as in a kinetic tournament tree: Basch,
//   Guibas & Hershberger 1999): the minimum of its children's values and of the crossings of the
//   largest child's line with the other children's lines and with its own. Once its own U is below
//   all children's U, it stays critical for ever: its line is the flattest, since N is largest. B
//   is then U of the critical cell, computed as in the definition. Where lines are closer than
//   rounding errors, the comparison is repeated in every round.
//
// Memory: 64 bytes per visited cell. Streams: `ties/name`, `recommend/name` (choices.hpp).
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "core/domain/partition.hpp"
#include "core/learner/cell_tree.hpp"
#include "core/learner/choices.hpp"
#include "core/learner/learner.hpp"

namespace posse {

struct HooOptions {
  double nu = 1;
  double rho = 0.5;
  LearnerChoices choices;
};

class Hoo final : public Learner {
 public:
  /// The partition must outlive the learner.
  Hoo(const Partition& partition, const HooOptions& options);

  std::unique_ptr<Learner> clone() const override { return std::make_unique<Hoo>(*this); }
  Cell next() override;
  void tell(double reward) override;
  Cell recommend() const override { return recommender_.cell(); }
  /// Number of visited cells, including the root.
  std::optional<TreeSize> tree() const override { return TreeSize{tree_.depth(), tree_.size()}; }

  /// The visited cells and the root, parents first. O(cells).
  std::vector<CellState> cells() const;
  /// The number of times that a critical cell was determined: the cost in addition to the walks.
  std::uint64_t comparisons() const { return comparisons_; }

 private:
  struct Statistics {
    std::uint64_t pulls = 0;
    double sum = 0;
    double slope = 0;           // 1 / sqrt(N)
    double certain_until = -1;  // s
    std::uint32_t critical = 0;
  };
  using Tree = CellTree<Statistics>;

  double upper(Tree::Id id) const;
  /// B; determines the critical cell again if it may have changed.
  double b_value(Tree::Id id);
  void find_critical(Tree::Id id);
  /// A value of s until which the line that is now `ahead` above another stays above it.
  double stays_until(double ahead, Tree::Id above, Tree::Id below) const;

  Tree tree_;
  TieBreaker ties_;
  Recommender recommender_;
  std::uint32_t max_depth_;
  std::uint64_t evaluations_ = 0;
  std::uint64_t comparisons_ = 0;
  double two_log_t_ = 0;
  double s_ = 0;
  double largest_reward_ = 0;       // in absolute value
  double tolerance_ = 0;            // larger than the rounding errors of two U
  std::vector<double> smoothness_;  // nu rho^h
  std::vector<Tree::Id> path_;      // of the pending next(), root first; else empty
};

}  // namespace posse
