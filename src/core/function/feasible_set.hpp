// SPDX-License-Identifier: Apache-2.0
// Closed convex sets with a cheap Euclidean projection.
//
//   space    all of R^d
//   box      low <= x_j <= high in every coordinate; the projection clips
//   l1-ball  sum |x_j| <= radius; the projection is a soft threshold, found by sorting
//            (Duchi et al. 2008), O(d log d)
//   simplex  x >= 0, sum x_j = radius; the projection is that of the l1-ball without signs
#pragma once

#include "core/function/convex_function.hpp"

namespace posse {

class FeasibleSet {
 public:
  static FeasibleSet space(Eigen::Index dimension);
  /// low < high, one pair for all coordinates.
  static FeasibleSet box(Eigen::Index dimension, double low, double high);
  /// radius > 0.
  static FeasibleSet l1_ball(Eigen::Index dimension, double radius);
  static FeasibleSet simplex(Eigen::Index dimension, double radius);

  Eigen::Index dimension() const { return dimension_; }
  bool bounded() const { return kind_ != Kind::space; }
  bool is_simplex() const { return kind_ == Kind::simplex; }
  /// Moves x to the nearest point of the set.
  void project(Vector& x) const;
  /// Moves x to the nearest point of the set's intersection with the ball of `radius` > 0 around
  /// `centre`, a member of the set. Costs one or two projections onto the set if only one of both
  /// matters, else about 55.
  void project_near(Vector& x, const Vector& centre, double radius) const;
  /// True up to rounding: `slack` times the set's size.
  bool contains(const Vector& x, double slack = 1e-12) const;
  /// The centre; 0 for the whole space.
  Vector centre() const;
  /// max |x - y| over the set; infinite for the whole space.
  double diameter() const;
  /// max |x - from|^2 / 2 over the set: D_X^2 of accelerated stochastic approximation.
  double largest_half_square(const Vector& from) const;
  /// min slope' s + l1 |s|_1 over the set, l1 >= 0; minus infinity for the whole space.
  double least_linear(const Vector& slope, double l1) const;

 private:
  enum class Kind { space, box, l1_ball, simplex };
  FeasibleSet(Kind kind, Eigen::Index dimension, double low, double high)
      : kind_(kind), dimension_(dimension), low_(low), high_(high) {}

  Kind kind_;
  Eigen::Index dimension_;
  double low_, high_;  // of a box; high is the radius of the others
};

}  // namespace posse
