// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <vector>

#include "actors/fed_pne/bounds.hpp"

namespace posse::theory {
namespace test_fed_pne_bounds {

namespace {

TEST_CASE("fed-pne: tau and pulls equal the tables of the worked examples", "[theory]") {
  const FedPneParameters four{
      .clients = 4, .horizon = 2000, .nu1 = 1, .rho = 0.5, .c = 0.1, .c1 = 1, .delta = 0.25};
  const std::vector<std::uint64_t> tau{1, 1, 2, 6, 24, 93, 369, 1473};
  for (std::uint32_t h = 0; h < tau.size(); ++h) CHECK(fed_pne_tau(four, h) == tau[h]);
  const std::vector<std::uint64_t> pulls{1, 2, 6, 24, 93};  // depths 2 … 6
  for (std::uint32_t h = 2; h <= 6; ++h) CHECK(fed_pne_pulls(four, h) == pulls[h - 2]);

  const FedPneParameters hundred{
      .clients = 100, .horizon = 10000, .nu1 = 1, .rho = 0.5, .c = 0.1, .c1 = 1, .delta = 0.01};
  const std::vector<std::uint64_t> thresholds{1, 1, 3, 9, 36, 142, 566, 2264, 9055, 36217, 144867};
  for (std::uint32_t h = 0; h < thresholds.size(); ++h)
    CHECK(fed_pne_tau(hundred, h) == thresholds[h]);

  // "Fed-PNE's first phase is then at h = 4 with |K| = 16, t_h = 1."
  std::uint32_t h = 0;
  std::uint64_t cells = 1;
  while (fed_pne_expands(hundred, h, cells)) ++h, cells *= 2;
  CHECK(h == 4);
  CHECK(cells == 16);
  CHECK(fed_pne_pulls(hundred, h) == 1);
}

TEST_CASE(
    "fed-pne: cells are split while at most M / tau of them are active, and always at the root",
    "[theory]") {
  FedPneParameters p{.clients = 8, .horizon = 100, .c = 1e-6};  // tau = 1 at small depths
  CHECK(fed_pne_expands(p, 3, 8));
  CHECK_FALSE(fed_pne_expands(p, 3, 9));
  p.clients = 1;
  CHECK(fed_pne_expands(p, 0, 1));
}

TEST_CASE("fed-pne: no schedule completes more phases than the ceiling", "[theory]") {
  for (const std::uint64_t m : {1, 4, 100}) {
    for (const std::uint64_t horizon : {10, 2000, 100000}) {
      for (const double c : {0.1, 2.0}) {
        const FedPneParameters p{.clients = m, .horizon = horizon, .c = c, .delta = 0.25};
        // The thinnest run: two cells in a phase, or as many as the criterion demands.
        std::uint64_t steps = 0;
        std::uint64_t deepest = 0;
        for (std::uint32_t h = 1; h < 60; ++h) {
          if (fed_pne_expands(p, h, std::uint64_t{1} << h)) continue;  // no cells suffice to sample
          const std::uint64_t cells = std::max<std::uint64_t>(2, m / fed_pne_tau(p, h) + 1);
          steps += cells * fed_pne_pulls(p, h);
          if (steps > horizon) break;
          deepest = h;
        }
        CHECK(deepest <= fed_pne_depth_ceiling(p));
      }
    }
  }
  // Worked example: 4 complete phases, the deepest at depth 5.
  CHECK(fed_pne_depth_ceiling({.clients = 4, .horizon = 2000, .c = 0.1, .c1 = 1, .delta = 0.25}) >=
        5);
}

TEST_CASE("fed-pne: radius, certificate and constants follow their formulas", "[theory]") {
  const FedPneParameters p{
      .clients = 4, .horizon = 2000, .nu1 = 1, .rho = 0.5, .c = 0.1, .c1 = 1, .delta = 0.25};
  CHECK(fed_pne_radius(p, 6, 4) == Approx(0.1 * std::sqrt(std::log(8000.0) / 24)));
  CHECK(fed_pne_radius(p, 6, 3) > fed_pne_radius(p, 6, 4));
  // 10 pulls at factor 1, 20 at min(1, 12/4) = 1, 30 at 12/32.
  const std::vector<FedPnePhase> phases{{2, 10}, {5, 20}, {6, 30}};
  CHECK(fed_pne_certificate(p, phases) == Approx(10 + 20 + 30 * 12.0 / 32));
  CHECK_FALSE(fed_pne_constants_apply(p));
  FedPneParameters theory = p;
  theory.c = 2;
  theory.c1 = 1.3;  // 8^{1/8} = 1.2968
  CHECK(fed_pne_constants_apply(theory));
}

TEST_CASE("fed-pne: the a-priori regret grows slower than the horizon", "[theory]") {
  FedPneParameters p{.clients = 10,
                     .horizon = 1000000,
                     .nu1 = 1.4,
                     .rho = std::sqrt(0.5),
                     .c = 2,
                     .c1 = 1.5,
                     .delta = 0.1};
  const double short_run = fed_pne_regret_bound(p, 0, 1);
  p.horizon *= 100;
  const double long_run = fed_pne_regret_bound(p, 0, 1);
  CHECK(long_run > short_run);
  CHECK(long_run < 20 * short_run);  // about sqrt: 10 times a log
}

TEST_CASE("fed-pne: thresholds are right where their factors overflow or underflow", "[theory]") {
  const FedPneParameters p{
      .clients = 1, .horizon = 100, .nu1 = 1e100, .rho = 1e-6, .c = 1e-100, .delta = 0.5};
  CHECK(fed_pne_tau(p, 10) == 1);                       // 10^-400 · 10^120
  CHECK(fed_pne_tau(p, 62) == std::uint64_t{1} << 63);  // 10^-400 · 10^744
  FedPneParameters none = p;                            // Lambda = 0
  none.horizon = 1;
  none.delta = 1;
  CHECK(fed_pne_tau(none, 62) == 1);
  CHECK(fed_pne_depth_ceiling(none) == std::uint64_t{1} << 63);
  // ln(10^400 · 100 / (2 ln 200)) / (2 ln 10^6) = 923.28 / 27.63
  CHECK(fed_pne_depth_ceiling(p) == 33);
}

}  // namespace
}  // namespace test_fed_pne_bounds

}  // namespace posse::theory
