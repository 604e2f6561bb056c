// SPDX-License-Identifier: Apache-2.0
// An upper bound of a function on a box, of second order:
//   f(c + h) <= value + sum_j (gradient_j h_j + curvature_j h_j^2 / 2)  for all |h_j| <= r_j.
// A constant bound has gradient = curvature = 0. Bounds of several functions add up, so that
// slopes and curvatures of opposite signs cancel in the bound of a mean. This makes branch and
// bound for means fast: near a smooth maximum the number of boxes grows with the logarithm of the
// accuracy.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace posse {

struct UpperModel {
  /// Within this distance of a cusp or spike, at_centre has its value: the double nearest to a cusp
  /// can be 1e-5 below it. Larger than the rounding errors of shifts of up to a few units.
  static constexpr double kAtPeak = 2e-15;

  double at_centre = 0;  // f(c)
  double value = 0;
  std::vector<double> gradient;   // one number per dimension, as in curvature
  std::vector<double> curvature;  // bounds the diagonal, and covers mixed derivatives
  std::vector<double> peak;       // a cusp or spike of f in the box; empty if there is none

  explicit UpperModel(std::size_t dimension) : gradient(dimension), curvature(dimension) {}

  void set_constant(double bound) {
    value = bound;
    std::fill(gradient.begin(), gradient.end(), 0.0);
    std::fill(curvature.begin(), curvature.end(), 0.0);
  }

  /// Replaces the bound by the constant one where that is lower on the whole box.
  void limit(double bound, std::span<const double> half_width) {
    if (largest(half_width) > bound) set_constant(bound);
  }

  /// The h_j with |h_j| <= half_width at which the bound is largest.
  double best_step(std::size_t j, double half_width) const {
    const double g = gradient[j];
    if (curvature[j] < 0 && std::abs(g) < -curvature[j] * half_width) return g / -curvature[j];
    return g < 0 ? -half_width : half_width;
  }
  /// What coordinate j adds at h_j.
  double rise(std::size_t j, double h) const { return h * (gradient[j] + 0.5 * curvature[j] * h); }

  /// The largest value of the bound on the box.
  double largest(std::span<const double> half_width) const {
    double sum = value;
    for (std::size_t j = 0; j < half_width.size(); ++j) sum += rise(j, best_step(j, half_width[j]));
    return sum;
  }
};

}  // namespace posse
