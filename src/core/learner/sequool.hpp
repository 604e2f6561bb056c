// SPDX-License-Identifier: Apache-2.0
// SequOOL: optimisation of a deterministic function, one depth after the other. Needs no smoothness
// constants.
//
// Paper: Bartlett, Gabillon & Valko, "A simple parameter-free and adaptive approach to optimization
// under a minimal local smoothness assumption" (ALT 2019, arXiv 1810.00997), section 3.
//   openings   n >= 1, the number of cells that may be opened; h_max = floor(n / H_n), H_n = 1 + …
//   +
//              1/n
// Opening a cell evaluates its k children once each, in ascending order. The root is opened without
// being evaluated. Then, for h = 1 … h_max, the floor(h_max / h) cells of depth h with the largest
// values are opened, in descending order of their values (ties: the lowest index); all cells, if
// there are no more. Output: the evaluated cell with the largest value (ties: the smallest cell);
// the root before the first evaluation.
//
// Under noise the single reward of a cell stands for its value: the output is then the luckiest
// cell, and no bound applies. StroquOOL is the version for noise.
//
// The paper counts openings. Posse's budget counts evaluations, k for an opening (PAPERS.md,
// sequool-1). Cells at the partition's depth limit are never opened. When the schedule is used up,
// the cell of the output is pulled, without effect.
//
// Cost: O(log cells) per evaluation, amortised. Memory: 16 bytes per cell of two depths. Streams:
// none.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "core/domain/partition.hpp"
#include "core/learner/learner.hpp"

namespace posse {

struct SequOolOptions {
  std::uint64_t openings = 1;
};

class SequOol final : public Learner {
 public:
  /// The partition must outlive the learner.
  SequOol(const Partition& partition, const SequOolOptions& options);

  std::unique_ptr<Learner> clone() const override { return std::make_unique<SequOol>(*this); }
  Cell next() override;
  void tell(double reward) override;
  Cell recommend() const override { return best_; }
  /// The evaluated cells and the root.
  std::optional<TreeSize> tree() const override { return TreeSize{deepest_, 1 + evaluated_}; }

  std::uint64_t max_depth() const { return max_depth_; }

 private:
  struct Evaluated {
    double value = 0;
    std::uint64_t index = 1;
  };
  enum class Pending { nothing, evaluation, output };

  /// Makes `parent_` the next cell to open. False if the schedule is used up.
  bool select();

  const Partition* partition_;
  std::uint64_t max_depth_;  // h_max

  std::vector<Evaluated> chosen_{Evaluated{}};  // cells of depth_ to open, the best one first
  std::size_t opened_ = 0;                      // of chosen_
  std::vector<Evaluated> below_;                // evaluated cells of depth_ + 1
  std::uint32_t depth_ = 0;

  Cell parent_;          // the cell that is being opened
  std::uint32_t child_;  // its next child; k if it is opened
  Cell query_;
  Pending pending_ = Pending::nothing;

  std::uint64_t evaluated_ = 0;
  std::uint32_t deepest_ = 0;
  Cell best_;
  double best_value_ = -std::numeric_limits<double>::infinity();
};

}  // namespace posse
