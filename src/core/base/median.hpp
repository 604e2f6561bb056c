// The median of a few numbers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "core/base/check.hpp"

namespace posse {

/// The middle value; of an even number, the mean of the two in the middle. Reorders `values`, which
/// are not empty. Cost: O(values) on average.
inline double median(std::span<double> values) {
  POSSE_CHECK(!values.empty(), "the median of nothing");
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*std::max_element(values.begin(), middle) + *middle) / 2;
}

}  // namespace posse
