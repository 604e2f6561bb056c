// SPDX-License-Identifier: Apache-2.0
// StroquOOL: optimisation of a noisy function, one depth after the other, with a cross-validation
// at the end. Needs neither smoothness constants nor the range of the noise.
//
// Paper: Bartlett, Gabillon & Valko, "A simple parameter-free and adaptive approach to optimization
// under a minimal local smoothness assumption" (ALT 2019, arXiv 1810.00997), section 4.
//   horizon   n >= 1 evaluations; h_max = floor(n / (k (H_n + 1)^2)), at least 1, H_n = 1 + … + 1/n
// Opening a cell q times evaluates its first child q times, then the next one. T and mean are of a
// cell's own evaluations.
//   Exploration: the root is opened h_max times. For h = 1 … h_max and m = 1 … floor(h_max / h):
//   with q = floor(h_max / (h m)), the cell of depth h with the largest mean among those that are
//   not opened and have T >= q is opened q times. If there is none, nothing is opened for this m.
//   Cross-validation: for p = 0 … floor(log2 h_max), the cell x(p) with the largest mean among all
//   with T >= 2^p is evaluated h_max times. Output: the x(p) with the largest mean of these new
//   evaluations. A cell that is x(p) for several p is evaluated for each, its mean is over all.
// Ties: the smallest cell, at each choice. Until the first x(p) is validated, the output is the
// cell that was opened first at the deepest depth (m = 1), the root before; then the best validated
// one.
//
// The paper's exploration could not be compared with its text (PAPERS.md, stroquool-1): the loop
// over m is the reading for which h_max, whose square of H_n it explains, keeps to the budget, and
// the one that another published implementation has. PyXAB opens a single cell for each power of
// two. k in h_max is the paper's 2 for k = 2 (stroquool-2). For small n, h_max = 1 (stroquool-3).
//
// Cells at the partition's depth limit are never opened. When the schedule is used up, the cell of
// the output is pulled, without effect.
//
// Cost: O(log cells) per evaluation, amortised. Memory: 24 bytes per cell of two depths. Streams:
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

struct StroquOolOptions {
  std::uint64_t horizon = 1;
};

class StroquOol final : public Learner {
 public:
  /// The partition must outlive the learner.
  StroquOol(const Partition& partition, const StroquOolOptions& options);

  std::unique_ptr<Learner> clone() const override { return std::make_unique<StroquOol>(*this); }
  Cell next() override;
  void tell(double reward) override;
  Cell recommend() const override { return output_; }
  /// The evaluated cells and the root.
  std::optional<TreeSize> tree() const override { return TreeSize{deepest_, 1 + cells_}; }

  std::uint64_t max_depth() const { return max_depth_; }

 private:
  struct Evaluated {
    double mean = 0;
    std::uint64_t pulls = 0;  // T
    std::uint64_t index = 1;
  };
  /// x(p), and what the cross-validation found for its cell.
  struct Candidate {
    Cell cell;
    double mean = -std::numeric_limits<double>::infinity();
    double sum = 0;
    double pulls = 0;
  };
  struct Lower;  // the order of the heap of cells that may be opened
  enum class Phase { exploration, validation, output };

  /// Makes `parent_` the next cell to open, `each_` times. False at the end of the exploration.
  bool select();
  bool begin_depth();
  /// Takes the children of parent_, or the candidates, one after the other.
  void advance();
  void finish_child();
  void finish_candidate();

  const Partition* partition_;
  std::uint64_t max_depth_;  // h_max
  Phase phase_ = Phase::exploration;
  bool pending_ = false;

  std::vector<Evaluated>
      unopened_;  // of depth_, the largest T first; from waiting_ on not in heap_
  std::size_t waiting_ = 0;
  std::vector<Evaluated> heap_;   // of depth_, with T >= q
  std::vector<Evaluated> below_;  // of depth_ + 1
  std::uint32_t depth_ = 0;
  std::uint64_t rank_ = 0;  // m

  Cell parent_;                // the cell that is being opened
  std::uint64_t each_;         // q
  std::uint32_t child_ = 0;    // its child that is being evaluated
  std::size_t validated_ = 0;  // p, in the cross-validation
  std::uint64_t left_;         // evaluations of query_ that are still to be made
  Cell query_;
  double sum_ = 0;

  std::vector<Candidate> candidates_;  // by p
  std::uint64_t cells_ = 0;
  std::uint32_t deepest_ = 0;
  Cell output_;
  double output_mean_ = -std::numeric_limits<double>::infinity();
};

}  // namespace posse
