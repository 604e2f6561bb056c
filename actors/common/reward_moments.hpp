// SPDX-License-Identifier: Apache-2.0
// Mean and variance of rewards that are added one by one.
#pragma once

#include <algorithm>
#include <cstdint>

namespace posse {

/// Sums deviations from the first reward. This avoids cancellation, and the variance of equal
/// rewards is exactly 0.
class RewardMoments {
 public:
  void add(double reward) {
    if (count_ == 0) first_ = reward;
    const double deviation = reward - first_;
    ++count_;
    sum_ += deviation;
    squares_ += deviation * deviation;
  }
  std::uint64_t count() const { return count_; }
  /// Needs at least one reward.
  double mean() const { return first_ + sum_ / static_cast<double>(count_); }
  /// Unbiased (divisor count - 1); 0 for a single reward.
  double variance() const {
    if (count_ < 2) return 0;
    const auto n = static_cast<double>(count_);
    return std::max(0.0, squares_ - sum_ * sum_ / n) / (n - 1);
  }

 private:
  std::uint64_t count_ = 0;
  double first_ = 0;
  double sum_ = 0;
  double squares_ = 0;
};

}  // namespace posse
