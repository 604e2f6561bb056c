// SPDX-License-Identifier: Apache-2.0
// T-HOO: truncated hierarchical optimistic optimisation, for a known horizon.
//
// Paper: Bubeck, Munos, Stoltz & Szepesvári, "X-armed bandits" (JMLR 2011), section 4.2.
//   nu, rho      smoothness, nu > 0, 0 < rho < 1 (defaults 1, 0.5)
//   horizon      n >= 1; ln n stays the same if there are more evaluations
//   depth_slack  0: the paper; 1: one depth more, as PyXAB (see PAPERS.md, hoo-2)
//   N, mean      pulls in the cell's subtree and the mean of their rewards
// U = mean + sqrt(2 ln n / N) + nu rho^h, B = min(U, max of the children's B), +infinity outside
// the tree. A step walks from the root to the child with the largest B until it leaves the tree or
// reaches depth D (theory::t_hoo_depth, plus the slack) or the partition's depth limit, where cells
// are pulled again; the cell joins the tree, the reward counts for every cell on the path.
//
// ln n is constant, so only U and B on the path change: O(k D) per step. Memory: 48 bytes per
// visited cell. Streams: `ties/name`, `recommend/name` (choices.hpp).
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

struct THooOptions {
  double nu = 1;
  double rho = 0.5;
  std::uint64_t horizon = 1;
  std::uint32_t depth_slack = 0;
  LearnerChoices choices;
};

class THoo final : public Learner {
 public:
  /// The partition must outlive the learner.
  THoo(const Partition& partition, const THooOptions& options);

  std::unique_ptr<Learner> clone() const override { return std::make_unique<THoo>(*this); }
  Cell next() override;
  void tell(double reward) override;
  Cell recommend() const override { return recommender_.cell(); }
  /// Number of visited cells, including the root.
  std::optional<TreeSize> tree() const override { return TreeSize{tree_.depth(), tree_.size()}; }

  /// Cells at this depth are not expanded: D plus the slack, at most the partition's limit.
  std::uint32_t max_depth() const { return max_depth_; }
  /// The visited cells and the root, parents first.
  std::vector<CellState> cells() const;

 private:
  struct Statistics {
    std::uint64_t pulls = 0;
    double sum = 0;
    double b = std::numeric_limits<double>::infinity();
  };
  using Tree = CellTree<Statistics>;

  double upper(const Tree::Node& node) const;

  Tree tree_;
  TieBreaker ties_;
  Recommender recommender_;
  std::uint32_t max_depth_;
  double two_log_n_;
  std::vector<double> smoothness_;  // nu rho^h
  std::vector<Tree::Id> path_;      // of the pending next(), root first; else empty
};

}  // namespace posse
