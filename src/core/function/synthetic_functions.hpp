// SPDX-License-Identifier: Apache-2.0
// The functions of the synthetic experiments with functional bandits.
//
// Source: Dorn, Katrutsa, Latypov & Soboleva 2025, sections 5.1 to 5.3, equations 20 and 21.
#pragma once

#include <cmath>

#include "core/function/convex_function.hpp"

namespace posse {

/// Equation 20: f = c - 1 + sqrt(1 + (x - x*)' S (x - x*)), S diagonal and positive, so min f = c
/// at x* (see PAPERS.md, f-lcb-10). L is the largest entry of S; f is sqrt(L)-Lipschitz. With mu >
/// 0, which is not in the paper, it is f + mu |x - x*|^2/2, strongly convex and not Lipschitz.
class SmoothCone final : public ConvexFunction {
 public:
  /// Entries of `diagonal` > 0.
  SmoothCone(double minimum, Vector diagonal, Vector minimiser, double strong_convexity = 0);

  Eigen::Index dimension() const override { return diagonal_.size(); }
  double value(const Vector& x) const override;
  double value_and_subgradient(const Vector& x, Vector& gradient) const override;
  std::optional<double> smoothness() const override { return diagonal_.maxCoeff() + mu_; }
  std::optional<double> lipschitz() const override {
    if (mu_ > 0) return std::nullopt;
    return std::sqrt(diagonal_.maxCoeff());
  }
  double strong_convexity() const override { return mu_; }
  std::optional<double> minimum() const override { return minimum_; }
  std::optional<Vector> minimiser() const override { return minimiser_; }

 private:
  double minimum_;
  Vector diagonal_, minimiser_;
  double mu_;
};

/// Equation 21: f = max_k (a_k' x + b_k) + shift. The subgradient is that of the first maximal
/// plane; M is the largest norm of a plane's row.
class PiecewiseLinear final : public ConvexFunction {
 public:
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  /// One row of `slopes` per plane. The caller provides the minimum over the feasible set.
  PiecewiseLinear(Matrix slopes, Vector offsets, double shift, std::optional<double> minimum);

  Eigen::Index dimension() const override { return slopes_.cols(); }
  double value(const Vector& x) const override;
  double value_and_subgradient(const Vector& x, Vector& gradient) const override;
  std::optional<double> lipschitz() const override { return slopes_.rowwise().norm().maxCoeff(); }
  std::optional<double> minimum() const override { return minimum_; }

 private:
  Matrix slopes_;
  Vector offsets_;
  double shift_;
  std::optional<double> minimum_;
};

}  // namespace posse
