// SPDX-License-Identifier: Apache-2.0
#include "core/learner/uniform_grid.hpp"

#include <cmath>

#include "core/base/check.hpp"
#include "core/base/math.hpp"

namespace posse {
namespace {

constexpr std::uint64_t kMaxGridCells = std::uint64_t{1} << 63;

std::uint64_t saturated_power(std::uint64_t base, std::size_t exponent) {
  std::uint64_t power = 1;
  for (std::size_t j = 0; j < exponent; ++j) {
    if (power > kMaxGridCells / base) return kMaxGridCells;
    power *= base;
  }
  return power;
}

}  // namespace

std::uint64_t uniform_grid_side(std::uint64_t n, std::size_t dimension) {
  if (n < 2) return 1;  // ln 1 = 0
  const auto evaluations = static_cast<double>(n);
  return static_cast<std::uint64_t>(std::ceil(
      math::pow(evaluations / math::log(evaluations), 1 / (static_cast<double>(dimension) + 2))));
}

std::vector<double> GridPoints::point(Cell choice) const {
  POSSE_CHECK(choice.depth == 0 && choice.index >= 1, "cell {}", choice.index);
  std::vector<double> x(box_.dimension());
  std::uint64_t digits = choice.index - 1;
  for (std::size_t j = x.size(); j-- > 0; digits /= side_)
    x[j] = box_.low[j] +
           (static_cast<double>(digits % side_) + 0.5) / static_cast<double>(side_) * box_.width(j);
  return x;
}

UniformGrid::UniformGrid(std::uint64_t side, std::size_t dimension)
    : cells_(saturated_power(side, dimension)) {
  POSSE_CHECK(side >= 1);
}

void UniformGrid::tell(double reward) {
  if (current_ == visited_.size()) visited_.emplace_back();
  Statistics& cell = visited_[current_];
  cell.sum += reward;
  cell.count += 1;
  if (current_ == best_) {
    // The best mean may have decreased: then all means are compared, once per pass at most.
    for (std::uint64_t i = 0; i < visited_.size(); ++i)
      if (visited_[i].mean() > visited_[best_].mean() ||
          (i < best_ && visited_[i].mean() == visited_[best_].mean()))
        best_ = i;
  } else if (cell.mean() > visited_[best_].mean() ||
             (current_ < best_ && cell.mean() == visited_[best_].mean())) {
    best_ = current_;
  }
  if (++current_ == cells_) current_ = 0;
}

}  // namespace posse
