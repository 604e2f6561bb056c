// SPDX-License-Identifier: Apache-2.0
// The median of a small list of numbers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "core/base/check.hpp"

namespace posse {

/// The middle value; for an even number of values, the mean of the two middle ones. Reorders
/// `values`, which must not be empty. Cost: O(values) on average.
inline double median(std::span<double> values) {
  POSSE_CHECK(!values.empty(), "the median of an empty list");
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*std::max_element(values.begin(), middle) + *middle) / 2;
}

}  // namespace posse
