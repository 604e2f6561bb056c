// SPDX-License-Identifier: Apache-2.0
// A convex function to minimise, with the constants that base optimizers and their bounds use.
//
// Source: the function classes of Dorn, Katrutsa, Latypov & Soboleva 2025, section 2.5. Norms are
// Euclidean. Pure; called from several threads at once.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <span>

namespace posse {

using Vector = Eigen::VectorXd;

class ConvexFunction {
 public:
  virtual ~ConvexFunction() = default;
  virtual Eigen::Index dimension() const = 0;
  virtual double value(const Vector& x) const = 0;
  /// f(x); writes a subgradient to `gradient`, which must have the right size.
  virtual double value_and_subgradient(const Vector& x, Vector& gradient) const = 0;

  /// L: the gradient is L-Lipschitz; nothing if f is not smooth.
  virtual std::optional<double> smoothness() const { return std::nullopt; }
  /// M: f is M-Lipschitz on its feasible set; nothing if unknown or unbounded.
  virtual std::optional<double> lipschitz() const { return std::nullopt; }
  /// mu >= 0.
  virtual double strong_convexity() const { return 0; }
  /// min f over the feasible set, and a point that attains it, where known.
  virtual std::optional<double> minimum() const { return std::nullopt; }
  virtual std::optional<Vector> minimiser() const { return std::nullopt; }
};

}  // namespace posse
