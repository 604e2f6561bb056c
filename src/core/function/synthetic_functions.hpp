// The synthetic arms of the functional bandit's experiments.
//
// Paper 004, section 5.1-5.3, eqs. 20 and 21.
#pragma once

#include <cmath>

#include "core/function/convex_function.hpp"

namespace posse {

/// Eq. 20: f = c - 1 + sqrt(1 + (x - x*)' S (x - x*)), S diagonal and positive, so min f = c at x*.
/// L is the largest entry of S; f is sqrt(L)-Lipschitz. With mu > 0, which the paper hasn't, it is
/// f + mu |x - x*|^2/2, strongly convex and not Lipschitz.
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

/// Eq. 21: f = max_k (a_k' x + b_k) + shift. The subgradient is that of the first maximal plane; M
/// is the largest norm of a plane's row.
class PiecewiseLinear final : public ConvexFunction {
 public:
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  /// One row of `slopes` per plane; the minimum, over the feasible set, is known to whoever made
  /// it.
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
