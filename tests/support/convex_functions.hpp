// SPDX-License-Identifier: Apache-2.0
// Convex functions for which the optimizers' paths are known independently.
#pragma once

#include <cmath>

#include "core/function/convex_function.hpp"

namespace posse::test {

/// 0.5 sum lam_j x_j^2.
class Quadratic final : public ConvexFunction {
 public:
  explicit Quadratic(Vector lambda) : lambda_(std::move(lambda)) {}
  Eigen::Index dimension() const override { return lambda_.size(); }
  double value(const Vector& x) const override {
    return (lambda_.array() * x.array().square()).sum() / 2;
  }
  double value_and_subgradient(const Vector& x, Vector& gradient) const override {
    gradient = lambda_.array() * x.array();
    return value(x);
  }
  std::optional<double> smoothness() const override { return lambda_.maxCoeff(); }
  double strong_convexity() const override { return lambda_.minCoeff(); }
  std::optional<double> minimum() const override { return 0; }

 private:
  Vector lambda_;
};

/// max_j |x_j - c_j| + q |x - c|^2; the first maximal coordinate gives the subgradient.
class MaxDistance final : public ConvexFunction {
 public:
  explicit MaxDistance(Vector centre, double q = 0) : centre_(std::move(centre)), q_(q) {}
  Eigen::Index dimension() const override { return centre_.size(); }
  double value(const Vector& x) const override {
    return (x - centre_).cwiseAbs().maxCoeff() + q_ * (x - centre_).squaredNorm();
  }
  double value_and_subgradient(const Vector& x, Vector& gradient) const override {
    const Vector y = x - centre_;
    Eigen::Index first = 0;
    for (Eigen::Index j = 1; j < y.size(); ++j)
      if (std::abs(y[j]) > std::abs(y[first])) first = j;
    gradient = 2 * q_ * y;
    gradient[first] += y[first] > 0 ? 1 : y[first] < 0 ? -1 : 0;
    return value(x);
  }
  std::optional<double> minimum() const override { return 0; }
  const Vector& centre() const { return centre_; }

 private:
  Vector centre_;
  double q_;
};

}  // namespace posse::test
