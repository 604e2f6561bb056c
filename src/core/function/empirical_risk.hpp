// SPDX-License-Identifier: Apache-2.0
// Regression and classification losses on a user's data, as convex functions.
//
//   F(x) = (1/n) sum_i loss(a_i' x, y_i) + l2 |x|^2/2 + l1 |x|_1
//   squares   r^2/2, r = a' x - y          absolute  |r|
//   huber     r^2/2 up to |r| = c, then c |r| - c^2/2
//   logistic  log(1 + exp(-y a' x)), y in {-1, 1}
// Constants, with S = A'A/n and its eigenvalues (by Eigen, exact up to rounding):
//   L   lambda_max(S) + l2 (logistic: lambda_max/4 + l2); none for absolute, or with l1 > 0
//   mu  l2, and lambda_min(S) with squares
//   M   over the feasible set, a bound on subgradients: for slopes |s_i| <= 1 of the losses
//       |A's|/n <= min(sqrt(lambda_max), mean |a_i|) (absolute, logistic; times c: huber); with
//       squares lambda_max max |x| + |A'y|/n, on a bounded set; plus l2 max |x| and l1 sqrt d
// Cost: O(n d) per value or gradient; O(n d min(n, d)) once.
#pragma once

#include <memory>
#include <string_view>

#include "core/function/feasible_set.hpp"

namespace posse {

enum class Loss { squares, logistic, huber, absolute };

/// The rows a_i with their targets.
struct RegressionData {
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  Matrix rows;
  Vector targets;
};

/// Reads a CSV: every column except the target is a feature, in the file's order. `target` names
/// the target's column; empty: the last one. Throws InputError.
RegressionData parse_regression_data(std::string_view text, std::string_view target);

/// Quantities that depend on the data alone; functions on the same data share them.
struct Spectrum {
  double largest = 0, smallest = 0;  // eigenvalues of A'A/n
  double mean_norm = 0;              // mean |a_i|
  double correlation = 0;            // |A'y|/n
};
Spectrum spectrum_of(const RegressionData& data);

struct RiskOptions {
  Loss loss = Loss::squares;
  double l1 = 0, l2 = 0;  // >= 0
  double huber = 1;       // c > 0
};

class EmpiricalRisk final : public ConvexFunction {
 public:
  /// Targets of a logistic loss are -1 or 1.
  EmpiricalRisk(std::shared_ptr<const RegressionData> data,
                const Spectrum& spectrum,
                const RiskOptions& options,
                const FeasibleSet& set);

  Eigen::Index dimension() const override { return data_->rows.cols(); }
  double value(const Vector& x) const override;
  double value_and_subgradient(const Vector& x, Vector& gradient) const override;
  std::optional<double> smoothness() const override;
  std::optional<double> lipschitz() const override { return lipschitz_; }
  double strong_convexity() const override { return mu_; }

  const RiskOptions& options() const { return options_; }
  const RegressionData& data() const { return *data_; }
  /// Multiplications for one gradient: 2 n d.
  double gradient_cost() const { return 2 * static_cast<double>(data_->rows.size()); }
  /// F without the l1 term: its value, its gradient (for absolute: a subgradient).
  double smooth_part(const Vector& x, Vector& gradient) const;
  /// L of that part; none for absolute.
  std::optional<double> smooth_part_smoothness() const { return smoothness_; }

 private:
  std::shared_ptr<const RegressionData> data_;
  RiskOptions options_;
  std::optional<double> smoothness_, lipschitz_;
  double mu_;
};

}  // namespace posse
