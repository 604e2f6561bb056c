// SPDX-License-Identifier: Apache-2.0
// DOO: deterministic optimistic optimisation, for known smoothness.
//
// Paper: Munos, "Optimistic optimization of a deterministic function without the knowledge of its
// smoothness" (NIPS 2011), section 3.
//   nu, rho     delta(h) = nu rho^h, nu > 0, 0 < rho < 1: how much less than f* the value of the
//   cell
//               of depth h that holds a maximiser may be
// Every cell is evaluated once. Each step expands the leaf with the largest b = f(x) + delta(h)
// (ties: the smallest cell), which evaluates its k children in ascending order. Output: the
// evaluated cell with the largest value (ties: the smallest cell); the root before the first
// evaluation.
//
// Under noise the single reward of a cell stands for its value: the output is then the luckiest
// cell, and no bound applies. HOO and HCT are for noise.
//
// Departures (PAPERS.md): the root is evaluated, too, and a budget counts evaluations (doo-1).
// Cells at the partition's depth limit are never expanded; if no other leaf is left, the cell of
// the output is pulled, without effect.
//
// Cost: O(log leaves) per evaluation. Memory: 24 bytes per leaf. Streams: none.
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

struct DooOptions {
  double nu = 1;
  double rho = 0.5;
};

class Doo final : public Learner {
 public:
  /// The partition must outlive the learner.
  Doo(const Partition& partition, const DooOptions& options);

  std::unique_ptr<Learner> clone() const override { return std::make_unique<Doo>(*this); }
  Cell next() override;
  void tell(double reward) override;
  Cell recommend() const override { return best_; }
  /// The evaluated cells.
  std::optional<TreeSize> tree() const override {
    return TreeSize{deepest_, std::max<std::uint64_t>(1, evaluated_)};
  }

 private:
  struct Leaf {
    double b = 0;
    Cell cell;
  };
  struct Lower;  // the heap's order
  enum class Pending { nothing, evaluation, output };

  const Partition* partition_;
  std::vector<double> delta_;  // by depth
  std::vector<Leaf> leaves_;   // a heap, the largest b first; without cells at the depth limit

  Cell parent_;          // the cell that is being expanded
  std::uint32_t child_;  // its next child; k if it is expanded
  Cell query_;
  Pending pending_ = Pending::nothing;

  std::uint64_t evaluated_ = 0;
  std::uint32_t deepest_ = 0;
  Cell best_;
  double best_value_ = -std::numeric_limits<double>::infinity();
};

}  // namespace posse
