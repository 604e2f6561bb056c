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
