// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <set>

#include "core/learner/arm_points.hpp"
#include "core/random/stream.hpp"

namespace posse::test_arm_points {
namespace {

TEST_CASE("in one and two dimensions the arms are the grid of random coordinates") {
  UniformStream draws(stream_key(Seed{7}, "arms", "coordinates"));
  const ArmPoints line(Box::cube(1, -2, 2), {.per_dimension = 5}, Seed{7});
  REQUIRE(line.size() == 5);
  for (std::uint32_t a = 0; a < 5; ++a)
    CHECK(line.point(a + 1) == std::vector<double>{-2 + draws.at(a) * 4});

  const ArmPoints square({{0, 10}, {1, 30}}, {.per_dimension = 4}, Seed{7});
  REQUIRE(square.size() == 16);
  for (std::uint32_t a = 0; a < 4; ++a)
    for (std::uint32_t b = 0; b < 4; ++b) {
      const std::vector<double> x{draws.at(a), 10 + draws.at(4 + b) * 20};
      CHECK(square.point(Cell{0, a * 4 + b + 1}) == x);
      CHECK(square.unit_point(a * 4 + b + 1)[1] == draws.at(4 + b));
    }
}

TEST_CASE("in more dimensions the arms are random points of the box, different for each seed") {
  const Box box = Box::cube(3, -1, 1);
  const ArmPoints arms(box, {}, Seed{1});
  REQUIRE(arms.size() == 1000);
  std::set<std::vector<double>> points;
  std::vector<double> mean(3);
  for (std::uint32_t a = 1; a <= 1000; ++a) {
    const auto x = arms.point(a);
    CHECK(box.contains(x));
    points.insert(x);
    for (std::size_t j = 0; j < 3; ++j) mean[j] += x[j] / 1000;
  }
  CHECK(points.size() == 1000);
  // Five standard deviations of a mean of 1000 uniforms on [-1, 1].
  for (const double m : mean) CHECK(std::abs(m) < 5 / std::sqrt(3000.0));
  CHECK(ArmPoints(box, {}, Seed{1}).point(17) == arms.point(17));
  CHECK(ArmPoints(box, {}, Seed{2}).point(17) != arms.point(17));
}

TEST_CASE("the number of arms is known before they are drawn") {
  CHECK(arm_count({.per_dimension = 20}, 1) == 20);
  CHECK(arm_count({.per_dimension = 1000}, 2) == 1'000'000);
  CHECK(arm_count({.per_dimension = 20, .random_points = 7}, 3) == 7);
  const auto options = arm_options(default_parameters(arm_parameters()));
  CHECK(arm_count(options, 2) == 400);
  CHECK(arm_count(options, 10) == 1000);
}

}  // namespace
}  // namespace posse::test_arm_points
