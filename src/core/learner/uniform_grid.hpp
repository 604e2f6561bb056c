// SPDX-License-Identifier: Apache-2.0
// Uniform grid: evaluates the centres of g^d equal cells round robin; the largest mean wins.
//
// A baseline of Posse. g = ceil((n / ln n)^{1/(d+2)}) balances the cells' width 1/g and the noise
// of a mean of n / g^d rewards for a Lipschitz function. Cell number i (from 1, at depth 0): i - 1
// in base g has d digits, the first dimension's first. If there are more than n cells, the first n
// are visited. Ties: the smallest number.
// Cost: O(1) per step, amortised. Memory: 16 bytes per visited cell. Draws no random numbers.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "core/domain/box.hpp"
#include "core/learner/learner.hpp"

namespace posse {

/// g for n evaluations in d dimensions; 1 for n = 1.
std::uint64_t uniform_grid_side(std::uint64_t n, std::size_t dimension);

/// The centres of g^d equal cells.
class GridPoints final : public PointSet {
 public:
  GridPoints(Box box, std::uint64_t side) : box_(std::move(box)), side_(side) {}
  std::vector<double> point(Cell choice) const override;

 private:
  Box box_;
  std::uint64_t side_;
};

class UniformGrid final : public Learner {
 public:
  /// `side` = g >= 1.
  UniformGrid(std::uint64_t side, std::size_t dimension);

  std::unique_ptr<Learner> clone() const override { return std::make_unique<UniformGrid>(*this); }
  Cell next() override { return {0, current_ + 1}; }
  void tell(double reward) override;
  /// Cell 1 before any evaluation.
  Cell recommend() const override { return {0, best_ + 1}; }

 private:
  struct Statistics {
    double sum = 0;
    double count = 0;
    double mean() const { return sum / count; }
  };

  std::uint64_t cells_;        // g^d, or 2^63 if that is more
  std::uint64_t current_ = 0;  // from 0
  std::uint64_t best_ = 0;     // from 0
  std::vector<Statistics> visited_;
};

}  // namespace posse
