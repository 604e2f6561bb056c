// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <cmath>

#include "core/function/feasible_set.hpp"
#include "core/random/stream.hpp"

namespace test_feasible_set {

using namespace posse;

namespace {

Vector random_point(std::uint64_t trial, std::string_view what, Eigen::Index d, double size) {
  DrawEngine draws(stream_key(Seed{trial}, "test", what), 0);
  Vector x(d);
  for (auto& v : x) v = size * (2 * draws.uniform() - 1);
  return x;
}

}  // namespace

TEST_CASE(
    "a projection is in the set, is idempotent, and makes an obtuse angle with every member") {
  for (std::uint64_t trial = 0; trial < 500; ++trial) {
    const auto d = static_cast<Eigen::Index>(1 + trial % 7);
    for (const auto& set : {FeasibleSet::space(d),
                            FeasibleSet::box(d, -1, 2),
                            FeasibleSet::l1_ball(d, 1.5),
                            FeasibleSet::simplex(d, 2)}) {
      const Vector x = random_point(trial, "x", d, 4);
      Vector nearest = x;
      set.project(nearest);
      REQUIRE(set.contains(nearest));
      Vector again = nearest;
      set.project(again);
      CHECK((again - nearest).norm() <= 1e-14);
      // <x - P(x), z - P(x)> <= 0 for every z of the set characterises P(x).
      for (std::uint64_t other = 0; other < 10; ++other) {
        Vector z = random_point(1000 * trial + other, "z", d, 4);
        set.project(z);
        CHECK((x - nearest).dot(z - nearest) <= 1e-12);
        CHECK((z - nearest).norm() <= set.diameter() * (1 + 1e-12) + 1e-12);
        CHECK((z - x).squaredNorm() / 2 <= set.largest_half_square(x) * (1 + 1e-12));
      }
    }
  }
}

TEST_CASE("a projection onto a set and a ball is in both and makes an obtuse angle with both") {
  int both = 0;
  for (std::uint64_t trial = 0; trial < 500; ++trial) {
    const auto d = static_cast<Eigen::Index>(1 + trial % 7);
    const double radius = 0.1 + static_cast<double>(trial % 11) / 4;
    for (const auto& set : {FeasibleSet::space(d),
                            FeasibleSet::box(d, -1, 2),
                            FeasibleSet::l1_ball(d, 1.5),
                            FeasibleSet::simplex(d, 2)}) {
      Vector centre = random_point(trial, "centre", d, 4);
      set.project(centre);
      const Vector x = random_point(trial, "x", d, 4);
      Vector nearest = x;
      set.project_near(nearest, centre, radius);
      REQUIRE(set.contains(nearest));
      REQUIRE((nearest - centre).norm() <= radius * (1 + 1e-14));
      Vector again = nearest;
      set.project_near(again, centre, radius);
      CHECK((again - nearest).norm() <= 1e-14);
      Vector alone = x;
      set.project(alone);
      both += alone != nearest;
      for (std::uint64_t other = 0; other < 10; ++other) {
        // A member of both: on the way from the centre to a member of the set.
        Vector z = random_point(1000 * trial + other, "z", d, 4);
        set.project(z);
        const double length = (z - centre).norm();
        if (length > radius) z = centre + (z - centre) * (radius / length);
        CHECK((x - nearest).dot(z - nearest) <= 1e-12);
      }
    }
  }
  CHECK(both > 500);  // the ball mattered
}

TEST_CASE("projections onto a box and a ball equal those by hand and by Dykstra's algorithm") {
  Vector x(2);
  x << 4, 1;  // the first coordinate is clipped, the second takes the rest of the radius
  FeasibleSet::box(2, -1, 1).project_near(x, Vector::Zero(2), 1.2);
  CHECK(x[0] == 1);
  CHECK(x[1] == Approx(std::sqrt(1.2 * 1.2 - 1)).epsilon(1e-15));

  const auto box = FeasibleSet::box(4, -1, 2);
  for (std::uint64_t trial = 0; trial < 50; ++trial) {
    Vector centre = random_point(trial, "centre", 4, 2);
    box.project(centre);
    const Vector given = random_point(trial, "x", 4, 6);
    const double radius = 1.3;
    // Dykstra: alternating projections, each given back what it took the last time.
    Vector y = given, from_box = Vector::Zero(4), from_ball = Vector::Zero(4);
    for (int k = 0; k < 20000; ++k) {
      const Vector before = y + from_box;
      y = before;
      box.project(y);
      from_box = before - y;
      const Vector to_ball = y + from_ball;
      const double length = (to_ball - centre).norm();
      y = length > radius ? Vector(centre + (to_ball - centre) * (radius / length)) : to_ball;
      from_ball = to_ball - y;
    }
    Vector nearest = given;
    box.project_near(nearest, centre, radius);
    CHECK((nearest - y).norm() <= 1e-6);
    // A multiplier lambda >= 0 of the ball: y = clip((x + lambda centre)/(1 + lambda)).
    Eigen::Index free = 0;
    for (Eigen::Index j = 0; j < 4; ++j)
      if (nearest[j] > -1 && nearest[j] < 2 &&
          std::abs(nearest[j] - centre[j]) > std::abs(nearest[free] - centre[free]))
        free = j;
    if (nearest[free] == -1 || nearest[free] == 2) continue;
    const double lambda = (given[free] - nearest[free]) / (nearest[free] - centre[free]);
    CHECK(lambda >= -1e-12);
    Vector clipped = (given + lambda * centre) / (1 + lambda);
    box.project(clipped);
    CHECK((clipped - nearest).norm() <= 1e-12);
    CHECK(std::abs(lambda * ((nearest - centre).norm() - radius)) <= 1e-12 * (1 + lambda));
  }
}

TEST_CASE("projections onto the l1 ball and the simplex equal those by hand") {
  Vector x(3);
  x << 3, -1, 0.5;
  FeasibleSet::l1_ball(3, 2).project(x);  // threshold 1: 2, 0, 0
  CHECK(x == Vector((Vector(3) << 2, 0, 0).finished()));
  Vector y(3);
  y << 0.5, 0.5, -1;
  FeasibleSet::simplex(3, 1).project(y);
  CHECK(y == Vector((Vector(3) << 0.5, 0.5, 0).finished()));
  CHECK_FALSE(FeasibleSet::box(2, 0, 1).contains(Vector::Constant(2, std::nan(""))));
}

TEST_CASE("the farthest point of a set is attained at a corner") {
  Vector x(2);
  x << 0.5, -1;
  CHECK(FeasibleSet::box(2, -1, 2).largest_half_square(x) == Approx((1.5 * 1.5 + 9) / 2));
  CHECK(FeasibleSet::l1_ball(2, 1).largest_half_square(x) == Approx((0.25 + 4) / 2));
  CHECK(FeasibleSet::simplex(2, 1).largest_half_square(x) == Approx((0.25 + 4) / 2));
}

TEST_CASE(
    "the least value of a linear function plus an l1 norm is attained, and no member is below") {
  for (std::uint64_t trial = 0; trial < 200; ++trial) {
    const auto d = static_cast<Eigen::Index>(1 + trial % 3);
    const Vector slope = random_point(trial, "slope", d, 2);
    const double l1 = trial % 2 == 0 ? 0 : 0.7;
    for (const auto& set : {FeasibleSet::box(d, -1, 2),
                            FeasibleSet::box(d, 0.5, 2),
                            FeasibleSet::l1_ball(d, 1.5),
                            FeasibleSet::simplex(d, 2)}) {
      const double least = set.least_linear(slope, l1);
      double smallest = std::numeric_limits<double>::infinity();
      const auto look_at = [&](Vector s) {
        set.project(s);
        const double value = slope.dot(s) + l1 * s.lpNorm<1>();
        REQUIRE(value >= least - 1e-12);
        smallest = std::min(smallest, value);
      };
      for (std::uint64_t other = 0; other < 20; ++other)
        look_at(random_point(1000 * trial + other, "s", d, 4));
      for (int corner = 0; corner < 27;
           ++corner) {  // far away: they project onto corners and faces
        Vector s(d);
        for (Eigen::Index j = 0, c = corner; j < d; ++j, c /= 3)
          s[j] = 1000 * static_cast<double>(c % 3 - 1);
        look_at(s);
      }
      CHECK(smallest == Approx(least).margin(1e-12));
    }
  }
}

}  // namespace test_feasible_set
