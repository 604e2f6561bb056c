// SPDX-License-Identifier: Apache-2.0
// Schedules and bounds of the optimistic searches and of zooming, by hand.
#include <catch2/catch.hpp>
#include <cmath>

#include "core/theory/optimistic.hpp"

namespace posse::theory {
namespace test_optimistic {

constexpr NearOptimality kTwo{.dimension = 0, .constant = 2};
constexpr NearOptimality kGrowing{.dimension = 1, .constant = 1};  // 2^h cells for rho = 1/2

TEST_CASE("soo and doo: loss depths by hand", "[theory]") {
  CHECK(soo_depth(1) == 1);
  CHECK(soo_depth(8) == 2);
  CHECK(soo_depth(9) == 3);
  // 4 * 2 (h + 1) >= 24
  CHECK(soo_loss_depth(0, 4, kTwo, 0.5) == 0);
  CHECK(soo_loss_depth(24, 4, kTwo, 0.5) == 2);
  CHECK(soo_loss_depth(25, 4, kTwo, 0.5) == 3);
  CHECK(soo_loss_depth(1000, 4, kTwo, 0.5) == 5);
  CHECK(soo_loss_depth(1, 0, kTwo, 0.5) == 1);
  // 2 (h + 1) >= 5; 2^(h+1) - 1 >= 7
  CHECK(doo_loss_depth(5, 61, kTwo, 0.5) == 2);
  CHECK(doo_loss_depth(7, 61, kGrowing, 0.5) == 2);
  CHECK(doo_loss_depth(8, 61, kGrowing, 0.5) == 3);
  CHECK(doo_loss_depth(1000, 61, kTwo, 0.5) == 61);
}

TEST_CASE("sequool and stroquool: schedules and loss depths by hand", "[theory]") {
  CHECK(harmonic(4) == Approx(25.0 / 12).epsilon(1e-15));
  CHECK(sequool_openings(3, 3) == 1 + 3 + 1 + 1);
  // floor(20 / h) >= 2 for h <= 10; floor(20 / h) >= 2^h for h <= 2
  CHECK(sequool_loss_depth(20, 61, kTwo, 0.5) == 11);
  CHECK(sequool_loss_depth(20, 61, kGrowing, 0.5) == 3);
  CHECK(sequool_loss_depth(20, 4, kTwo, 0.5) == 5);
  // h = 1: 6 + 3 + 2 + 1 + 1 + 1; h = 2: 3 + 1 + 1; h = 3: 2 + 1; h = 4, 5, 6: 1
  CHECK(stroquool_evaluations(6, 6, 2) == 2 * (6 + 14 + 5 + 3 + 3) + 3 * 6);
  CHECK(stroquool_evaluations(6, 1, 3) == 3 * (6 + 14) + 3 * 6);
  // floor(12 / h) >= 1 + h for h <= 3
  CHECK(stroquool_loss_depth(12, 61, kTwo, 0.5) == 4);
  CHECK(stroquool_loss_depth(12, 2, kTwo, 0.5) == 3);
  CHECK(stroquool_depth(1, 2) == 1);
  CHECK(stroquool_loss_rate(10000, 0) == Approx(std::pow(std::log(10000.0), 2) / 100));
}

TEST_CASE("zooming: radii, thresholds and ceilings by hand", "[theory]") {
  CHECK(zooming_radius(1000, 0) == Approx(std::sqrt(2 * std::log(1000.0))));
  CHECK(zooming_radius(1000, 7) == Approx(std::sqrt(std::log(1000.0) / 4)));
  // 2 ln(1000) = 13.8155, times 4 = 55.26
  CHECK(zooming_pulls(1000, 1, 0.5, 0) == 13);
  CHECK(zooming_pulls(1000, 1, 0.5, 1) == 55);
  CHECK(zooming_radius(1000, 13) < 1);
  CHECK(zooming_radius(1000, 12) >= 1);
  CHECK(zooming_pulls(1, 1, 0.5, 0) == 1);
  CHECK(zooming_pulls(1000, 1e-100, 0.5, 1000) == std::uint64_t{1} << 63);
  CHECK(zooming_depth_bound(1000, 1, 0.5, 62) == 4);
  CHECK(zooming_depth_bound(1000, 1, 0.5, 3) == 3);
  CHECK(zooming_cells_bound(1000, 1, 0.5, 2, 62) == 1 + 2 * (1 + 2 + 4 + 1));
  CHECK(zooming_regret_rate(100, 0) == Approx(std::sqrt(100 * std::log(100.0))));
}

}  // namespace test_optimistic
}  // namespace posse::theory
