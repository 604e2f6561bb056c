// SPDX-License-Identifier: Apache-2.0
#include "core/function/risk_minimum.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>

namespace posse {
namespace {

double shrunk(double v, double by) { return std::copysign(std::max(std::abs(v) - by, 0.0), v); }

/// The proximal point of t l1 |.|_1 over the set. A soft threshold comes first: for a box the two
/// parts are separable, for a ball a projection is one more threshold. On a simplex the norm is
/// constant and changes nothing.
void proximal_step(const FeasibleSet& set, double threshold, Vector& x) {
  if (threshold > 0 && !set.is_simplex())
    x = x.unaryExpr([=](double v) { return shrunk(v, threshold); });
  set.project(x);
}

/// |v|^2 of the shortest subgradient of F at x, without constraints.
double least_subgradient_square(const Vector& gradient, double l1, const Vector& x) {
  if (l1 == 0) return gradient.squaredNorm();
  double sum = 0;
  for (Eigen::Index j = 0; j < x.size(); ++j) {
    const double v = x[j] != 0 ? gradient[j] + std::copysign(l1, x[j]) : shrunk(gradient[j], l1);
    sum += v * v;
  }
  return sum;
}

/// Least squares and ridge regression without constraints, by a complete orthogonal decomposition.
/// Among all minimisers it returns the one closest to 0. The gap is the gain of one more
/// correction.
std::optional<RiskMinimum> solve_least_squares(const EmpiricalRisk& risk) {
  const auto& [rows, targets] = risk.data();
  const auto n = rows.rows(), d = rows.cols();
  const double l2 = risk.options().l2;
  const Eigen::Index extra = l2 > 0 ? d : 0;  // ridge: more rows, sqrt(n l2) e_j with target 0
  Eigen::MatrixXd a = Eigen::MatrixXd::Zero(n + extra, d);
  Vector y = Vector::Zero(n + extra);
  a.topRows(n) = rows;
  y.head(n) = targets;
  a.bottomRows(extra).diagonal().setConstant(std::sqrt(static_cast<double>(n) * l2));
  const Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> solver(a);
  RiskMinimum found;
  found.point = solver.solve(y);
  found.point += solver.solve(Vector(y - a * found.point));
  found.value = risk.value(found.point);
  const Vector residual = y - a * found.point;
  const Vector correction = solver.solve(residual);
  found.gap = (a * correction).squaredNorm() / (2 * static_cast<double>(n));
  if (!(found.gap <= 1e-9 * (1 + std::abs(found.value)))) return std::nullopt;
  return found;
}

}  // namespace

double certified_gap(const EmpiricalRisk& risk, const FeasibleSet& set, const Vector& x) {
  constexpr double kNone = std::numeric_limits<double>::infinity();
  const double l1 = risk.options().l1;
  if (!risk.smooth_part_smoothness()) return kNone;
  Vector gradient(x.size());
  risk.smooth_part(x, gradient);
  double gap = kNone;
  const double here = gradient.dot(x) + l1 * x.lpNorm<1>();
  if (set.bounded()) {
    gap = here - set.least_linear(gradient, l1);
  } else if (l1 > 0) {
    const double radius = risk.value(Vector::Zero(x.size())) / l1;
    if (radius == 0) return x.isZero(0) ? 0 : kNone;
    gap = here - FeasibleSet::l1_ball(x.size(), radius).least_linear(gradient, l1);
  }
  if (!set.bounded() && risk.strong_convexity() > 0)
    gap = std::min(gap, least_subgradient_square(gradient, l1, x) / (2 * risk.strong_convexity()));
  return std::max(gap, 0.0);
}

std::optional<RiskMinimum> minimise_risk(const EmpiricalRisk& risk, const FeasibleSet& set) {
  const auto smoothness = risk.smooth_part_smoothness();
  const double l1 = risk.options().l1;
  if (!smoothness || !(*smoothness > 0) || !std::isfinite(*smoothness)) return std::nullopt;
  const auto d = risk.dimension();
  if (!set.bounded() && l1 == 0) {
    const bool affordable =
        risk.gradient_cost() * static_cast<double>(std::min(d, risk.data().rows.rows())) < 4e10;
    if (risk.options().loss == Loss::squares && affordable) return solve_least_squares(risk);
    if (risk.strong_convexity() == 0) return std::nullopt;
  }
  // A step costs 2 n d multiplications; 4e9 in total take seconds.
  const auto most = static_cast<int>(std::clamp(4e9 / risk.gradient_cost(), 200.0, 20000.0));
  Vector x = set.centre(), y = x, next(d), gradient(d);
  double momentum = 1;
  std::optional<RiskMinimum> found;
  for (int k = 1; k <= most; ++k) {
    risk.smooth_part(y, gradient);
    next = y - gradient / *smoothness;
    proximal_step(set, l1 / *smoothness, next);
    // Restart when the momentum increases the function.
    if ((y - next).dot(next - x) > 0) momentum = 1;
    const double following = (1 + std::sqrt(1 + 4 * momentum * momentum)) / 2;
    y = next + (momentum - 1) / following * (next - x);
    momentum = following;
    x.swap(next);
    if (k % 20 != 0) continue;
    const double value = risk.value(x);
    const double gap = certified_gap(risk, set, x);
    if (gap <= 1e-9 * (1 + std::abs(value)) && (!found || gap < found->gap))
      found = RiskMinimum{x, value, gap};
    if (gap <= 1e-12 * (1 + std::abs(value))) break;
  }
  return found;
}

}  // namespace posse
