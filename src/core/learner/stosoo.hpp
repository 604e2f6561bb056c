// SPDX-License-Identifier: Apache-2.0
// StoSOO: stochastic simultaneous optimistic optimisation. Needs no smoothness constants.
//
// Paper: Valko, Carpentier & Munos, "Stochastic simultaneous optimistic optimization" (ICML 2013).
//   n           the known horizon >= 1
//   kappa       pulls of a cell before it is expanded; empty: ceil(n / ln^3 n)
//   delta       confidence, 0 < delta <= 1; empty: 1 / sqrt(n)
//   max_depth   h_max, largest depth searched; empty: floor(sqrt(n / kappa)) (PAPERS.md, pyxab-8)
// b = mean + sqrt(ln(n kappa / delta) / (2 T)) of a leaf, +infinity if never pulled. A sweep goes
// through the depths 0 … min(depth of the tree at its start, h_max). At each depth it takes the
// leaf with the largest b. If this b is at least the largest b of the leaves expanded in this
// sweep, the leaf is pulled if it has T < kappa, else expanded. Ties: the lowest index. Output: the
// highest mean among the deepest expanded cells (ties: the lowest index); the root before the first
// expansion.
//
// h_max is at most the partition's depth limit minus one, since cells at the limit are never
// expanded (see PAPERS.md, stosoo-1). If a sweep finds no leaf (every cell down to h_max is
// expanded), the cell of the output is pulled, without effect.
//
// Cost: O(log leaves) per pull, O(k log leaves) per expansion: leaves are in one heap per depth,
// and b changes only while its leaf is on top. Memory: 32 bytes per leaf. Streams: none.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "core/domain/partition.hpp"
#include "core/learner/learner.hpp"

namespace posse {

struct StoSooOptions {
  std::uint64_t horizon = 1;
  std::optional<std::uint64_t> kappa;
  std::optional<double> delta;
  std::optional<std::uint32_t> max_depth;
};

class StoSoo final : public Learner {
 public:
  /// The partition must outlive the learner.
  StoSoo(const Partition& partition, const StoSooOptions& options);

  std::unique_ptr<Learner> clone() const override { return std::make_unique<StoSoo>(*this); }
  Cell next() override;
  void tell(double reward) override;
  Cell recommend() const override { return output_; }
  /// All cells of the paper's tree, including leaves that were never pulled.
  std::optional<TreeSize> tree() const override {
    return TreeSize{static_cast<std::uint32_t>(leaves_.size()) - 1,
                    1 + expanded_ * partition_->children_per_cell()};
  }

  std::uint64_t kappa() const { return kappa_; }
  std::uint32_t max_depth() const { return max_depth_; }

 private:
  struct Leaf {
    std::uint64_t index = 1;
    std::uint64_t pulls = 0;
    double sum = 0;
    double b = std::numeric_limits<double>::infinity();
  };
  struct Lower;  // the heaps' order
  enum class Pending { nothing, leaf, output };

  void begin_sweep();
  void expand(std::uint32_t depth);

  const Partition* partition_;
  std::uint64_t kappa_;
  std::uint32_t max_depth_;                // h_max
  double log_term_;                        // ln(n kappa / delta)
  std::vector<std::vector<Leaf>> leaves_;  // a heap per depth, the largest b first

  std::uint32_t depth_ = 0;   // next depth of the sweep
  std::uint32_t last_ = 0;    // the sweep's last depth
  double most_expanded_ = 0;  // b_max
  bool met_leaf_ = false;
  Pending pending_ = Pending::nothing;

  std::uint64_t expanded_ = 0;
  Cell output_;
  double output_mean_ = -std::numeric_limits<double>::infinity();
};

}  // namespace posse
