// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <vector>

#include "actors/parallel/bounds.hpp"

namespace posse::theory {
namespace test_parallel_bounds {

namespace {

TEST_CASE("parallel: pulls equal those of the worked examples, whose counts are within the bounds",
          "[theory]") {
  const ParallelParameters sine{
      .players = 4, .budget = 1600, .nu1 = 1, .rho = 0.5, .delta = 1.0 / 1600};
  const std::vector<std::uint64_t> sine_pulls{2, 6, 25, 108};
  for (std::uint32_t h = 0; h < 4; ++h)
    CHECK(parallel_pulls(sine, h, std::exp2(h)) == sine_pulls[h]);

  const ParallelParameters garland{
      .players = 16, .budget = 10000, .nu1 = 1.4, .rho = std::sqrt(0.5), .delta = 1e-4};
  const std::vector<double> cells{1, 2, 4, 8, 16, 32, 58, 86};
  const std::vector<std::uint64_t> pulls{1, 1, 1, 2, 5, 9, 19, 39};
  for (std::uint32_t h = 0; h < 8; ++h) CHECK(parallel_pulls(garland, h, cells[h]) == pulls[h]);

  // Bounds hold for these runs: 8 levels, 207 values, loss 0.0734.
  CHECK(parallel_rounds_ceiling(garland) >= 8);
  CHECK(parallel_rounds_ceiling(sine) >= 4);
  CHECK(parallel_values_bound(garland, pulls) >= 207);
  CHECK(parallel_values_bound(sine, sine_pulls) == 15);  // every cell was active
  CHECK(parallel_loss_bound(garland, 7) >= 0.0734057992);
}

TEST_CASE("parallel: the radius never exceeds nu1 rho^h", "[theory]") {
  for (const std::uint64_t m : {1, 4, 1000}) {
    for (std::uint32_t h = 0; h < 20; ++h) {
      const ParallelParameters p{
          .players = m, .budget = 1000, .nu1 = 1.4, .rho = 0.7, .delta = 0.01};
      CHECK(parallel_radius(p, h, std::exp2(h)) <= 1.4 * std::pow(0.7, h));
    }
  }
}

TEST_CASE("parallel: no schedule completes more rounds than the ceiling", "[theory]") {
  // The thinnest run that the rules allow: two cells in every level from 1 on.
  for (const std::uint64_t m : {1, 3, 16, 1000}) {
    for (const std::uint64_t n : {1, 2, 5, 40, 1600, 100000}) {
      for (const double delta : {1.0, 0.4, 1e-5}) {
        for (const double rho : {0.25, 0.5, 0.9}) {
          const ParallelParameters p{.players = m,
                                     .budget = n,
                                     .nu1 = 1,
                                     .rho = rho,
                                     .delta = delta,
                                     .c_squared = m == 3 ? 0.01 : kTheoryCSquared};
          std::uint64_t rounds = 0;
          std::uint64_t steps = 0;
          for (std::uint32_t h = 0;; ++h, ++rounds) {
            const std::uint64_t cells = h == 0 ? 1 : 2;
            steps += cells * parallel_pulls(p, h, static_cast<double>(cells));
            if (steps > n) break;
          }
          CHECK(rounds <= parallel_rounds_ceiling(p));
          if (parallel_rounds_paper_applies(p) && rounds >= 2)
            CHECK(static_cast<double>(rounds) <= parallel_rounds_paper(p));
        }
      }
    }
  }
}

TEST_CASE("parallel: a smaller width c is as many players more, and gives up the guarantees",
          "[theory]") {
  // T_h depends on c^2 / m alone: c = 0.1 with 10 players is the theory's with 500.
  for (std::uint32_t h = 0; h < 20; ++h) {
    const ParallelParameters practical{
        .players = 10, .budget = 1000, .nu1 = 1.4, .rho = 0.7, .delta = 0.01, .c_squared = 0.01};
    const ParallelParameters theory{
        .players = 500, .budget = 1000, .nu1 = 1.4, .rho = 0.7, .delta = 0.01};
    CHECK(parallel_pulls(practical, h, std::exp2(h)) == parallel_pulls(theory, h, std::exp2(h)));
    CHECK(parallel_radius(practical, h, std::exp2(h)) ==
          Approx(parallel_radius(theory, h, std::exp2(h))));
    CHECK(parallel_margin(practical, h) == parallel_margin(theory, h));
    CHECK_FALSE(parallel_constants_apply(practical));
    CHECK(parallel_constants_apply(theory));
  }
  CHECK_FALSE(parallel_rounds_paper_applies({.delta = 0.01, .c_squared = 0.01}));
}

TEST_CASE("parallel: the paper's bound on rounds applies up to delta = 0.4452", "[theory]") {
  CHECK(parallel_rounds_paper_applies({.delta = 0.4452}));
  CHECK_FALSE(parallel_rounds_paper_applies({.delta = 0.4453}));
}

TEST_CASE("parallel: the guaranteed depth is the deepest level that the budget covers in full",
          "[theory]") {
  // Sine: levels 0 … 3 cost 978 of 1600 steps with every cell active; level 4 doesn't fit.
  const ParallelParameters p{
      .players = 4, .budget = 1600, .nu1 = 1, .rho = 0.5, .delta = 1.0 / 1600};
  const GuaranteedDepth depth = parallel_guaranteed_depth(p, 62);
  CHECK(depth.any);
  CHECK(depth.depth == 3);
  CHECK(depth.steps == 978);
  // If one cell per level is near-optimal, only two children per level need looking at.
  CHECK(parallel_guaranteed_depth(p, 62, [](std::uint32_t) { return 1.0; }).depth > 3);
  ParallelParameters tiny = p;
  tiny.budget = 1;
  CHECK_FALSE(parallel_guaranteed_depth(tiny, 62).any);
}

TEST_CASE("parallel: the paper's rate falls as (ln n / (m n))^{1/(d+2)}", "[theory]") {
  ParallelParameters p{.players = 1, .budget = 1000, .nu1 = 1, .rho = 0.5, .delta = 0.01};
  const double one = parallel_loss_rate(p, 0, 3);
  p.players = 16;
  CHECK(parallel_loss_rate(p, 0, 3) == Approx(one / 4));
  CHECK(parallel_loss_rate(p, 2, 3) > parallel_loss_rate(p, 0, 3));
}

TEST_CASE("parallel: twice the players never need more steps for levels of the same sizes",
          "[theory]") {
  std::uint64_t state = 1;
  const auto draw = [&state](std::uint64_t below) {  // a small LCG: any sizes will do
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (state >> 33) % below;
  };
  for (int trial = 0; trial < 200; ++trial) {
    ParallelParameters p{.players = 1 + draw(50),
                         .budget = 1000,
                         .nu1 = 0.1 + static_cast<double>(draw(300)) / 100,
                         .rho = 0.2 + static_cast<double>(draw(70)) / 100,
                         .delta = 0.01 + static_cast<double>(draw(99)) / 100};
    ParallelParameters twice = p;
    twice.players *= 2;
    std::uint64_t steps = 0;
    std::uint64_t steps_of_twice = 0;
    for (std::uint32_t h = 0; h < 8; ++h) {
      const std::uint64_t cells = 1 + draw(std::uint64_t{1} << h);
      steps += cells * parallel_pulls(p, h, static_cast<double>(cells));
      steps_of_twice += cells * parallel_pulls(twice, h, static_cast<double>(cells));
      CHECK(steps_of_twice <= steps);
    }
  }
}

}  // namespace
}  // namespace test_parallel_bounds

}  // namespace posse::theory
