// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <random>

#include "core/learner/uniform_grid.hpp"

namespace posse::test_uniform_grid {
namespace {

TEST_CASE("the grid's side is ceil((n / ln n)^(1/(d+2)))") {
  // 10000 / ln 10000 = 1085.736: 10.278^3, 5.740^4, 1.790^12.
  CHECK(uniform_grid_side(10'000, 1) == 11);
  CHECK(uniform_grid_side(10'000, 2) == 6);
  CHECK(uniform_grid_side(10'000, 10) == 2);
  CHECK(uniform_grid_side(1, 1) == 1);
  CHECK(uniform_grid_side(2, 1) == 2);  // 2 / ln 2 = 2.885 = 1.424^3
}

TEST_CASE("the grid's points are the centres of equal cells, first dimension first") {
  const GridPoints points({{0, -10}, {1, 10}}, 4);
  for (std::uint64_t a = 0; a < 4; ++a)
    for (std::uint64_t b = 0; b < 4; ++b) {
      const auto x = points.point({0, a * 4 + b + 1});
      CHECK(x[0] == Approx((static_cast<double>(a) + 0.5) / 4));
      CHECK(x[1] == Approx(-10 + (static_cast<double>(b) + 0.5) * 5));
    }
}

TEST_CASE("the uniform grid visits its points in turn and recommends the best mean") {
  std::mt19937 random(5);
  UniformGrid learner(3, 2);
  std::vector<double> sum(9), count(9);
  CHECK(learner.recommend() == Cell{0, 1});
  for (std::uint64_t t = 0; t < 1000; ++t) {
    const Cell cell = learner.next();
    CHECK(cell == Cell{0, t % 9 + 1});
    const auto reward = static_cast<double>(random() % 3);  // many equal means
    sum[t % 9] += reward;
    count[t % 9] += 1;
    learner.tell(reward);
    std::uint64_t best = 0;
    for (std::uint64_t i = 0; i < 9; ++i)
      if (count[i] > 0 && sum[i] / count[i] > sum[best] / count[best]) best = i;
    REQUIRE(learner.recommend() == Cell{0, best + 1});
  }
}

TEST_CASE("a grid of more than 2^64 points is visited as far as the budget lasts") {
  UniformGrid learner(2, 200);
  for (std::uint64_t t = 0; t < 50; ++t) {
    CHECK(learner.next() == Cell{0, t + 1});
    learner.tell(t == 30 ? 1 : 0);
  }
  CHECK(learner.recommend() == Cell{0, 31});
  const auto x = GridPoints(Box::cube(200, 0, 1), 2).point({0, 31});  // 30 = 11110b
  CHECK(x[195] == 0.75);
  CHECK(x[199] == 0.25);
  CHECK(x[0] == 0.25);
}

}  // namespace
}  // namespace posse::test_uniform_grid
