// SPDX-License-Identifier: Apache-2.0
#include "core/function/feasible_set.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "core/base/check.hpp"

namespace posse {
namespace {

/// theta such that sum max(u_j - theta, 0) = radius, for u >= 0 or with sum u >= radius.
double threshold(Vector u, double radius) {
  std::sort(u.data(), u.data() + u.size(), std::greater<>());
  double sum = 0;
  double theta = 0;
  for (Eigen::Index j = 0; j < u.size(); ++j) {
    sum += u[j];
    const double candidate = (sum - radius) / static_cast<double>(j + 1);
    if (u[j] <= candidate) break;
    theta = candidate;
  }
  return theta;
}

}  // namespace

FeasibleSet FeasibleSet::space(Eigen::Index dimension) {
  return {Kind::space, dimension, 0, std::numeric_limits<double>::infinity()};
}
FeasibleSet FeasibleSet::box(Eigen::Index dimension, double low, double high) {
  POSSE_CHECK(low < high, "the box [{}, {}] is empty", low, high);
  return {Kind::box, dimension, low, high};
}
FeasibleSet FeasibleSet::l1_ball(Eigen::Index dimension, double radius) {
  POSSE_CHECK(radius > 0, "a ball of radius {}", radius);
  return {Kind::l1_ball, dimension, -radius, radius};
}
FeasibleSet FeasibleSet::simplex(Eigen::Index dimension, double radius) {
  POSSE_CHECK(radius > 0, "a simplex of size {}", radius);
  return {Kind::simplex, dimension, 0, radius};
}

void FeasibleSet::project(Vector& x) const {
  switch (kind_) {
    case Kind::space:
      return;
    case Kind::box:
      x = x.cwiseMax(low_).cwiseMin(high_);
      return;
    case Kind::l1_ball: {
      if (x.lpNorm<1>() <= high_) return;
      const double theta = threshold(x.cwiseAbs(), high_);
      x = x.unaryExpr(
          [theta](double v) { return std::copysign(std::max(std::abs(v) - theta, 0.0), v); });
      return;
    }
    case Kind::simplex: {
      const double theta = threshold(x, high_);
      x = (x.array() - theta).cwiseMax(0.0);
      return;
    }
  }
}

void FeasibleSet::project_near(Vector& x, const Vector& centre, double radius) const {
  // With a multiplier lambda for the ball, the nearest point is P(centre + s (x - centre)) where
  // s = 1/(1 + lambda), P projects onto the set. Its distance from the centre grows with s, and is
  // at most s |x - centre|.
  const Vector offset = x - centre;
  project(x);
  if ((x - centre).norm() <= radius) return;
  const auto distance_at = [&](double s) {
    x = centre + s * offset;
    project(x);
    return (x - centre).norm();
  };
  double inside = radius / offset.norm();
  double outside = 1;
  if (distance_at(inside) >= radius * (1 - 1e-15)) return;  // the ball alone matters
  for (;;) {
    const double s = inside + (outside - inside) / 2;
    if (s <= inside || s >= outside) break;
    (distance_at(s) <= radius ? inside : outside) = s;
  }
  distance_at(inside);
}

bool FeasibleSet::contains(const Vector& x, double slack) const {
  if (x.size() != dimension_ || !x.allFinite()) return false;
  const double tolerance = slack * (kind_ == Kind::box ? high_ - low_ : high_);
  switch (kind_) {
    case Kind::space:
      return true;
    case Kind::box:
      return x.minCoeff() >= low_ - tolerance && x.maxCoeff() <= high_ + tolerance;
    case Kind::l1_ball:
      return x.lpNorm<1>() <= high_ + tolerance;
    case Kind::simplex:
      return x.minCoeff() >= -tolerance && std::abs(x.sum() - high_) <= tolerance;
  }
  return false;
}

Vector FeasibleSet::centre() const {
  switch (kind_) {
    case Kind::box:
      return Vector::Constant(dimension_, low_ + (high_ - low_) / 2);
    case Kind::simplex:
      return Vector::Constant(dimension_, high_ / static_cast<double>(dimension_));
    case Kind::space:
    case Kind::l1_ball:
      break;
  }
  return Vector::Zero(dimension_);
}

double FeasibleSet::diameter() const {
  const auto d = static_cast<double>(dimension_);
  switch (kind_) {
    case Kind::space:
      return std::numeric_limits<double>::infinity();
    case Kind::box:
      return (high_ - low_) * std::sqrt(d);
    case Kind::l1_ball:
      return 2 * high_;
    case Kind::simplex:
      return dimension_ > 1 ? std::sqrt(2.0) * high_ : 0;
  }
  return 0;
}

double FeasibleSet::largest_half_square(const Vector& from) const {
  switch (kind_) {
    case Kind::space:
      return std::numeric_limits<double>::infinity();
    case Kind::box:
      return (from.array() - low_).abs().max((high_ - from.array()).abs()).square().sum() / 2;
    case Kind::l1_ball: {  // attained at a vertex +-radius e_j
      const double largest = from.cwiseAbs().maxCoeff();
      return (from.squaredNorm() + 2 * high_ * largest + high_ * high_) / 2;
    }
    case Kind::simplex:
      return (from.squaredNorm() - 2 * high_ * from.minCoeff() + high_ * high_) / 2;
  }
  return 0;
}

double FeasibleSet::least_linear(const Vector& slope, double l1) const {
  switch (kind_) {
    case Kind::space:
      return -std::numeric_limits<double>::infinity();
    case Kind::box: {
      const double nearest_0 = std::clamp(0.0, low_, high_);
      double sum = 0;
      for (const double g : slope)
        sum += std::min({g * low_ + l1 * std::abs(low_),
                         g * high_ + l1 * std::abs(high_),
                         g * nearest_0 + l1 * std::abs(nearest_0)});
      return sum;
    }
    case Kind::l1_ball:
      return high_ * std::min(0.0, l1 - slope.cwiseAbs().maxCoeff());
    case Kind::simplex:
      return high_ * (slope.minCoeff() + l1);
  }
  return 0;
}

}  // namespace posse
