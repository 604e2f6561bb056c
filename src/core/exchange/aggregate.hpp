// SPDX-License-Identifier: Apache-2.0
// One value of several answers: their mean, or a robust replacement.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "core/base/median.hpp"
#include "core/role/policy.hpp"

namespace posse {

/// The number of answers of so many that a trimmed mean leaves out at either end.
inline std::size_t trimmed_answers(double trim, std::size_t answers) {
  return static_cast<std::size_t>(trim * static_cast<double>(answers) + 1e-9);
}

/// `values` in a fixed order, not empty; reorders them. The mean adds them in their order, the
/// trimmed mean in ascending order. O(n log n).
inline double aggregate(std::span<double> values, const Policy& policy) {
  if (policy.aggregate == Aggregate::median) return median(values);
  std::size_t cut = 0;
  if (policy.aggregate == Aggregate::trimmed_mean) {
    cut = trimmed_answers(policy.trim, values.size());
    std::sort(values.begin(), values.end());
  }
  double sum = 0;
  for (std::size_t i = cut; i + cut < values.size(); ++i) sum += values[i];
  return sum / static_cast<double>(values.size() - 2 * cut);
}

}  // namespace posse
