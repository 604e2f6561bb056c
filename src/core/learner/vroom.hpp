// SPDX-License-Identifier: Apache-2.0
// VROOM: search for the best cell by random plays, robust to the order of rewards that change over
// time.
//
// Paper: Bou Ammar, Gabillon, Tutunov & Valko, "Derivative-free & order-robust optimisation"
// (AISTATS 2020, arXiv 1910.04034).
//   horizon     n >= 1 evaluations
//   max_depth   D, the deepest ranked depth >= 1; empty: floor(log_k n). In any case at least 1, at
//               most the partition's limit, and k^D at most 2^16 (for D > 1)
//   noise       b > 0, the range of the noise;  reward_bound  f_max > 0, bound on |reward|;
//               delta = min(1, 4 b / (f_max sqrt n)), L = ln(2 n^2 / delta)
// At each step the cells of each depth h = 1 … D are ranked by their estimates, the largest first.
// Cell (h, i) with rank l is chosen with probability p = 1 / (h l Z), Z = sum_h H_{k^h} / h, and a
// uniform point of this cell is evaluated: a random cell of the partition's last depth below it.
//   Estimate of the sum over time of the mean of f over a cell of depth h: each reward y at a point
//   of the cell adds y k^h / sum_g k^g p_g, p_g the probability of the cell of depth g that holds
//   the point. This weight is the ratio of the densities of uniform plays of the cell and of all
//   plays, so the estimate is unbiased, and it is at most 1 / p. Output: a uniform point of the
//   cell with the largest lower bound: estimate - f_max sqrt(2 h Z L S_1) - f_max h Z L S_max / 3
//   (Freedman's inequality), S_1 the sum and S_max the largest of its ranks up to now.
// Ties: in the ranks the lowest index, in the output the smallest cell. The output is determined
// after 1, 2, 4, … and n evaluations; the root before. Beyond n evaluations the search goes on with
// the same delta and L.
//
// The paper's text could not be consulted (PAPERS.md, vroom-1): p, Z, delta, L and the two terms of
// the lower bound are as in PyXAB, the estimate is what makes them consistent. PyXAB adds up the
// rewards of the plays that chose a cell or one above it, without weights.
//
// Cost: O(k^D) per evaluation at worst, since ranks move. Memory: 44 bytes for each of the ranked
// cells, fewer than 2 k^D. Streams: explore/name (draws 3t, 3t + 1 and 3t + 2 for depth, rank and
// point of evaluation t, from 0), recommend/name (the j-th output's point).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/domain/partition.hpp"
#include "core/learner/learner.hpp"
#include "core/random/stream.hpp"

namespace posse {

struct VroomOptions {
  std::uint64_t horizon = 1;
  std::optional<std::uint32_t> max_depth;
  double noise = 1;         // b
  double reward_bound = 1;  // f_max
  Seed seed;
  std::string name = "learner";  // of its streams
};

class Vroom final : public Learner {
 public:
  /// The partition must outlive the learner.
  Vroom(const Partition& partition, const VroomOptions& options);

  std::unique_ptr<Learner> clone() const override { return std::make_unique<Vroom>(*this); }
  Cell next() override;
  void tell(double reward) override;
  Cell recommend() const override { return output_; }

  /// D.
  std::uint32_t ranked_depth() const { return static_cast<std::uint32_t>(depths_.size()); }

 private:
  struct Ranked {
    double estimate = 0;
    std::uint64_t rank = 1;
    std::uint64_t since = 0;      // evaluations before it came to this rank
    std::uint64_t rank_sum = 0;   // S_1 up to then
    std::uint64_t most_rank = 1;  // S_max
  };
  /// The cells of one depth, by index from 0, and their order.
  struct Depth {
    std::vector<Ranked> cells;
    std::vector<std::uint32_t> order;  // indices from 0, by rank
  };

  Cell uniform_below(Cell cell, double u) const;
  std::uint64_t ancestor(std::uint32_t depth) const;  // of query_, index from 0
  double probability(std::uint32_t depth, const Ranked& cell) const;
  void move(Depth& depth, std::uint32_t index);
  void place(Depth& depth, std::uint32_t index, std::uint64_t rank);
  void determine_output();

  const Partition* partition_;
  std::uint64_t horizon_;
  double log_term_;      // L
  double reward_bound_;  // f_max
  UniformStream explore_;
  UniformStream recommend_;
  std::vector<std::uint64_t> powers_;  // k^h for h = 0 … the partition's last depth
  std::vector<double> harmonic_{0};    // H_l for l = 0 … k^D
  std::vector<double> weights_;        // sum of H_{k^g} / g for g <= h, from h = 1
  std::vector<Depth> depths_;          // from h = 1

  std::uint64_t evaluations_ = 0;
  std::uint64_t outputs_ = 0;
  bool pending_ = false;
  Cell query_;
  Cell output_;
};

}  // namespace posse
