// HCT-iid and VHCT: optimistic trees that expand a cell once they know its mean well enough.
//
// Papers: HCT-iid, Azar, Lazaric, Brunskill 2014, as in Shang, Kaufmann, Valko 2018 (P2), Algorithm
// 1; VHCT, Li, Wang, Cheng, Honorio 2023, which knows it earlier where the rewards vary little.
//   nu, rho     smoothness, nu > 0, 0 < rho < 1 (defaults 1, 0.5)
//   c, delta    confidence, c > 0, 0 < delta <= 1 (0.1, 0.01, PyXAB's; the theory: 2 / sqrt(1-rho)
//               and 1/n)
//   range       b, the width of the rewards' range: makes it VHCT; empty: HCT
//   T, L(t), tau_h(t)      pulls of the cell itself, theory/tree_learners.hpp
// U = mean + nu rho^h + radius, B = min(U, max of the children's B), +infinity if never pulled.
// A step walks from the root to the child with the largest B while the cell is expanded and has
// T >= tau; pulls the cell it reached; expands it if it is a leaf with T >= tau. The root is never
// pulled and always passed. At t = 1, 2, 4, … all U and B are computed anew, else those on the path
// only: O(k depth) per step, amortised. L(t) changes one step after, with t+, at t = 2, 3, 5, 9, ….
// A leaf at the partition's depth limit is never expanded. VHCT's variance has the divisor T and is
// at least 1e-3.
//
// Memory: 80 bytes per visited cell. Streams: `ties/name`, `recommend/name` (choices.hpp).
// Departures from the papers: errata E12-E14 of our specification (B's two cases, one increment of
// t, base-2 logarithm). PyXAB computes all B in every round and puts min(·, 1) for 1/2 into U.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "core/domain/partition.hpp"
#include "core/learner/cell_tree.hpp"
#include "core/learner/choices.hpp"
#include "core/learner/learner.hpp"
#include "core/theory/tree_learners.hpp"

namespace posse {

struct HctOptions {
  theory::HctParameters constants;  // nu, rho, c, delta
  std::optional<double> range;      // b > 0: VHCT
  LearnerChoices choices;
};

class Hct final : public Learner {
 public:
  /// The partition outlives the learner.
  Hct(const Partition& partition, const HctOptions& options);

  Cell next() override;
  void tell(double reward) override;
  Cell recommend() const override { return recommender_.cell(); }
  std::optional<TreeSize> tree() const override { return TreeSize{tree_depth(), tree_size()}; }

  /// Evaluations told so far.
  std::uint64_t evaluations() const { return evaluations_; }
  /// Cells of the paper's tree: the root and k for every expanded cell.
  std::uint64_t tree_size() const { return 1 + expanded_ * arity_; }
  /// Depth of the deepest cell of the paper's tree, visited or not.
  std::uint32_t tree_depth() const { return tree_depth_; }
  /// The cells visited so far, parents first.
  std::vector<CellState> cells() const;

 private:
  struct Statistics {
    std::uint64_t pulls = 0;
    double sum = 0;
    double squares = 0;  // sum of squared deviations from the mean (VHCT)
    double upper = std::numeric_limits<double>::infinity();
    double b = std::numeric_limits<double>::infinity();
    std::uint64_t threshold = 0;  // tau of this cell at this t
    bool expanded = false;
  };
  using Tree = CellTree<Statistics>;

  double variance(const Tree::Node& node) const;
  /// tau and U of a pulled cell at this t.
  std::uint64_t threshold(const Tree::Node& node) const;
  double upper(const Tree::Node& node) const;
  double b_value(const Tree::Node& node) const;
  /// L(t) and all thresholds, where t+ has changed.
  void refresh_thresholds(std::uint64_t t);
  /// All U and B.
  void refresh_bounds();

  theory::HctParameters constants_;
  std::optional<double> range_;
  std::uint32_t arity_;
  std::uint32_t max_depth_;
  Tree tree_;
  TieBreaker ties_;
  Recommender recommender_;
  std::uint64_t evaluations_ = 0;
  std::uint64_t expanded_ = 1;
  std::uint32_t tree_depth_ = 1;
  double log_term_ = 0;                    // L(t) of the last next()
  std::vector<double> smoothness_;         // nu rho^h
  std::vector<std::uint64_t> thresholds_;  // HCT's tau_h(t)
  std::vector<Tree::Id> path_;             // of the pending next(), root first; else empty
};

}  // namespace posse
