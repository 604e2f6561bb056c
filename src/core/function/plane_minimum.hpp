// SPDX-License-Identifier: Apache-2.0
// The exact minimum of max_k (a_k' x + b_k) over a box, by linear programming with COIN-OR's Clp.
//
//   min t  subject to  a_k' x + b_k <= t for every k,  low <= x_j <= high
// The answer is checked without Clp: the multipliers y >= 0, sum y = 1, of the planes give the
// lower bound min f >= y' b + sum_j min(low (A'y)_j, high (A'y)_j), which must equal the value at
// the point up to rounding. Cost: one run of the simplex method.
#pragma once

#include "core/function/synthetic_functions.hpp"

namespace posse {

struct PlaneMinimum {
  double value = 0;  // f at `point`
  Vector point;
  double gap = 0;  // value minus the lower bound of the multipliers: >= 0 up to rounding
};

/// One row of `slopes` per plane, at least one; everything finite, low < high.
PlaneMinimum minimise_planes(const PiecewiseLinear::Matrix& slopes,
                             const Vector& offsets,
                             double low,
                             double high);

}  // namespace posse
