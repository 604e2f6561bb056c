// SPDX-License-Identifier: Apache-2.0
// The module that links Clp.
#pragma once

#include <span>
#include <vector>

namespace posse {

struct ClpModule {
  static constexpr const char* kModule = "clp";

  struct Minimum {
    std::vector<double> point;
    std::vector<double> prices;  // by plane
  };
  /// Minimises max_k (a_k' x + b_k) over low <= x_j <= high: `slopes` has the rows a_k one after
  /// the other, `offsets` the b_k.
  Minimum (*minimise)(std::span<const double> slopes,
                      std::span<const double> offsets,
                      double low,
                      double high);
};

}  // namespace posse
