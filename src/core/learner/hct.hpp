// SPDX-License-Identifier: Apache-2.0
// HCT-iid and VHCT: optimistic tree learners that expand a cell once its mean is known accurately
// enough.
//
// Papers: HCT-iid by Azar, Lazaric & Brunskill 2014, in the form of Shang, Kaufmann & Valko 2018,
// Algorithm 1; VHCT by Li, Wang, Cheng & Song 2023, whose thresholds are smaller where the rewards
// vary little.
//   nu, rho     smoothness, nu > 0, 0 < rho < 1 (defaults 1, 0.5)
//   c, delta    confidence, c > 0, 0 < delta <= 1 (0.1, 0.01, PyXAB's; the theory: 2 / sqrt(1-rho)
//               and 1/n)
//   range       b, the width of the rewards' range: set: VHCT; empty: HCT
//   T, L(t), tau_h(t)      pulls of the cell itself, theory/tree_learners.hpp
// U = mean + nu rho^h + radius, B = min(U, max of the children's B), +infinity if never pulled.
// A step walks from the root to the child with the largest B while the cell is expanded and has
// T >= tau, pulls the cell it reached, and expands it if it is a leaf with T >= tau. The root is
// never pulled and always passed. At t = 1, 2, 4, … all U and B are recomputed, else only those on
// the path: O(k depth) per step, amortised. L(t) changes with t+ one step later, at t = 2, 3, 5, 9,
// …. A leaf at the partition's depth limit is never expanded. VHCT's variance estimate has the
// divisor T and is at least 1e-3 (see PAPERS.md, vhct-1).
//
// With `resplit` a cell that was expanded before, whose tau has grown and which is pulled until it
// has T >= tau again, is expanded anew: what is known of the cells below it is forgotten, as
// PyXAB's HCT does. That is not the published algorithm; it is what published figures were made
// with.
//
// Batches (Posse's own, experimental): `next_batch` chooses many evaluations before any of their
// rewards is known. It makes the steps above as if every reward were the mean of the cell's known
// rewards, or its parent's if it has none, with the variance that they have (VHCT): radii shrink,
// means stay. Desautels, Krause & Burdick 2014 choose batches for Gaussian processes in this way.
// A batch of one evaluation is a step above, in every bit, but the assumed variance may count a
// cell of VHCT as expanded before its walk goes on to its children. Nothing is proven of larger
// batches.
//
// Known cells (Posse's own): before the first step the learner may get cells with rewards that were
// drawn for another purpose. Some of them it passes like the root, whatever their pulls: they are
// never pulled and always expanded. The others are cells like any that it has pulled: a cell with T
// >= tau is expanded. t counts the known rewards, too.
//
// Memory: 80 bytes per visited cell, forgotten ones included. Streams: `ties/name`,
// `recommend/name` (choices.hpp). Departures from the papers: the two cases of B, a single
// increment of t per step, logarithms to base 2 in t+ (see PAPERS.md, hct-1 to hct-4). PyXAB
// differs in other ways (pyxab-6).
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
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
  bool resplit = false;
  LearnerChoices choices;
};

/// A cell and the number of its evaluations in a batch.
struct CellPulls {
  Cell cell;
  std::uint64_t pulls = 0;
  bool operator==(const CellPulls&) const = default;
};

/// The rewards of a cell in a batch.
struct BatchRewards {
  double mean = 0;
  double squares = 0;  // sum of squared deviations from this mean (VHCT)
};

/// A cell with rewards from before the first step.
struct KnownCell {
  Cell cell;
  std::uint64_t pulls = 0;
  double sum = 0;       // of the rewards
  double squares = 0;   // sum of squared deviations from their mean (VHCT)
  bool passed = false;  // like the root
};

class Hct final : public Learner {
 public:
  /// The partition must outlive the learner.
  Hct(const Partition& partition, const HctOptions& options);

  /// Before the first step: the rewards that are known, each cell once, parents before their
  /// children. Parents are passed cells, or the root; a cell at the partition's depth limit is not
  /// passed. A passed cell without rewards has U = +infinity, and among equals with B = +infinity
  /// those that were never visited come first. O(k depth) per cell.
  void start_from(std::span<const KnownCell> cells);

  std::unique_ptr<Learner> clone() const override { return std::make_unique<Hct>(*this); }
  Cell next() override;
  void tell(double reward) override;
  Cell recommend() const override { return recommender_.cell(); }
  std::optional<TreeSize> tree() const override { return TreeSize{tree_depth(), tree_size()}; }

  /// The next `steps` evaluations, 1 <= steps < 2^32, each cell once, in the order of their first
  /// evaluations. Each call must be followed by one call of tell_batch(). Cost: that of `steps`
  /// steps.
  std::vector<CellPulls> next_batch(std::uint64_t steps);
  /// The rewards for the last next_batch(), in its order. O(visited cells).
  void tell_batch(std::span<const BatchRewards> rewards);

  /// Number of evaluations, with those of known cells.
  std::uint64_t evaluations() const { return evaluations_; }
  /// Number of cells in the paper's tree: the root and k for every expanded cell.
  std::uint64_t tree_size() const { return 1 + expanded_ * arity_; }
  /// Depth of the deepest cell that the paper's tree has had, visited or not.
  std::uint32_t tree_depth() const { return tree_depth_; }
  /// The visited cells, parents first.
  std::vector<CellState> cells() const;

 private:
  struct Statistics {
    std::uint64_t pulls = 0;  // the pending ones included
    // Of the known rewards: their sum, and the sum of squared deviations from their mean (VHCT). If
    // none is known: the mean and the variance that are assumed.
    double sum = 0;
    double squares = 0;
    double upper = std::numeric_limits<double>::infinity();
    double b = std::numeric_limits<double>::infinity();
    std::uint64_t threshold = 0;  // tau of this cell at this t
    std::uint32_t pending = 0;    // pulls whose rewards aren't known yet
    bool expanded = false;
    bool passed = false;     // whatever its pulls, threshold 0
    bool forgotten = false;  // no cell of the tree any more
  };
  using Tree = CellTree<Statistics>;

  /// Of the known rewards, or assumed.
  double mean(const Tree::Node& node) const;
  double variance(const Tree::Node& node) const;
  /// Counts a pull of the path's cell.
  Tree::Node& pull();
  /// The rewards of the pending pulls.
  void learn(Tree::Node& node, const BatchRewards& rewards);
  void expand(Tree::Node& node);
  /// Forgets what is known of the cells below a cell.
  void forget_below(Tree::Id id);
  /// tau, U, and whether the cell is expanded, after its pulls or rewards have changed.
  void judge(Tree::Id id);
  /// The end of a step: judges the path's cell, recomputes B on the path.
  void end_step();
  /// tau and U of a pulled cell at this t.
  std::uint64_t threshold(const Tree::Node& node);
  double upper(const Tree::Node& node) const;
  double b_value(const Tree::Node& node) const;
  /// Recomputes L(t) and all thresholds if t+ has changed.
  void refresh_thresholds(std::uint64_t t);
  /// Recomputes all U and B.
  void refresh_bounds();

  const Partition* partition_;
  theory::HctParameters constants_;
  std::optional<double> range_;
  bool resplit_;
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
  std::vector<std::uint64_t> thresholds_;  // HCT's tau_h(t), of depths that were asked for
  std::vector<Tree::Id> path_;             // of the pending next(), root first; else empty
  std::vector<Tree::Id> batch_;            // of the pending next_batch(); else empty
};

}  // namespace posse
