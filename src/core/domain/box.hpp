// SPDX-License-Identifier: Apache-2.0
// The arm space: a box in R^d.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace posse {

struct Box {
  std::vector<double> low;
  std::vector<double> high;

  static Box cube(std::size_t dimension, double low, double high) {
    return {std::vector<double>(dimension, low), std::vector<double>(dimension, high)};
  }
  std::size_t dimension() const { return low.size(); }
  double width(std::size_t j) const { return high[j] - low[j]; }
  bool contains(std::span<const double> x) const {
    if (x.size() != dimension()) return false;
    for (std::size_t j = 0; j < x.size(); ++j)
      if (!(x[j] >= low[j] && x[j] <= high[j])) return false;
    return true;
  }
};

}  // namespace posse
