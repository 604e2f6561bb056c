#include "core/functional/risk_minimum.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace posse {
namespace {

double shrunk(double v, double by) { return std::copysign(std::max(std::abs(v) - by, 0.0), v); }

/// The proximal point of t l1 |.|_1 over the set. A soft threshold comes first: for a box the two
/// parts are separable, for a ball a projection is one more threshold, and on a simplex the norm is
/// constant.
void proximal_step(const FeasibleSet& set, double threshold, Vector& x) {
  if (threshold > 0) x = x.unaryExpr([=](double v) { return shrunk(v, threshold); });
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
  if (!set.bounded() && l1 == 0 && risk.strong_convexity() == 0) return std::nullopt;
  const auto d = risk.dimension();
  // A step costs 2 n d: 4e9 in all take seconds.
  const auto most = static_cast<int>(std::clamp(4e9 / risk.gradient_cost(), 200.0, 20000.0));
  Vector x = set.centre(), y = x, next(d), gradient(d);
  double momentum = 1;
  std::optional<RiskMinimum> found;
  for (int k = 1; k <= most; ++k) {
    risk.smooth_part(y, gradient);
    next = y - gradient / *smoothness;
    proximal_step(set, l1 / *smoothness, next);
    // Restart when the momentum points uphill.
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
