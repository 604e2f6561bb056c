// SPDX-License-Identifier: Apache-2.0
// SOO: simultaneous optimistic optimisation of a deterministic function. Needs no smoothness
// constants.
//
// Paper: Munos, "Optimistic optimization of a deterministic function without the knowledge of its
// smoothness" (NIPS 2011), section 4.
//   max_depth   h_max, largest depth that is expanded; empty: sqrt t, t = 1 + expansions so far
// Every cell is evaluated once. Expanding a cell evaluates its k children, in ascending order. A
// sweep goes through the depths 0 … min(depth of the tree, h_max(t)), both at its start. At each
// depth it takes the leaf with the largest value, and expands it if this value is at least those of
// the leaves expanded before in this sweep (v_max). Ties: the lowest index. Output: the evaluated
// cell with the largest value (ties: the smallest cell); the root before the first evaluation.
//
// Under noise the single reward of a cell stands for its value: the output is then the luckiest
// cell, and no bound applies. StoSOO is the version for noise.
//
// Departures (PAPERS.md): the root is evaluated, too, and a budget counts evaluations (soo-1); with
// h_max(t) = sqrt t a sweep reaches at least the depth of the shallowest leaf (soo-2): with k = 2
// the first seven expansions are of the depths 0 … 2, floor(sqrt 8) = 2, and the paper's loop would
// expand nothing for ever. Cells at the partition's depth limit are never expanded; if no leaf is
// left above it, or down to a fixed h_max, the cell of the output is pulled, without effect.
//
// Cost: O(log leaves) per evaluation. Memory: 16 bytes per leaf. Streams: none.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "core/domain/partition.hpp"
#include "core/learner/learner.hpp"

namespace posse {

struct SooOptions {
  std::optional<std::uint32_t> max_depth;
};

class Soo final : public Learner {
 public:
  /// The partition must outlive the learner.
  Soo(const Partition& partition, const SooOptions& options);

  std::unique_ptr<Learner> clone() const override { return std::make_unique<Soo>(*this); }
  Cell next() override;
  void tell(double reward) override;
  Cell recommend() const override { return best_; }
  /// The evaluated cells.
  std::optional<TreeSize> tree() const override {
    return TreeSize{static_cast<std::uint32_t>(leaves_.size()) - 1,
                    std::max<std::uint64_t>(1, evaluated_)};
  }

 private:
  struct Leaf {
    double value = 0;
    std::uint64_t index = 1;
  };
  struct Lower;  // the heaps' order
  enum class Pending { nothing, evaluation, output };

  /// Chooses the next cell to expand. False if there is none.
  bool select();
  bool begin_sweep();

  const Partition* partition_;
  std::optional<std::uint32_t> max_depth_;
  std::vector<std::vector<Leaf>> leaves_;  // a heap per depth, the largest value first

  std::uint32_t depth_ = 0;       // next depth of the sweep
  std::uint32_t end_ = 0;         // the sweep's last depth, plus one
  std::uint32_t shallowest_ = 0;  // no leaf is above this depth
  double most_expanded_ = 0;      // v_max
  std::uint64_t expanded_ = 0;

  Cell parent_;          // the cell that is being expanded
  std::uint32_t child_;  // its next child; k if it is expanded
  Cell query_;
  Pending pending_ = Pending::nothing;

  std::uint64_t evaluated_ = 0;
  Cell best_;
  double best_value_ = -std::numeric_limits<double>::infinity();
};

}  // namespace posse
