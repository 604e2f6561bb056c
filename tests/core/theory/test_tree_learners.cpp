// SPDX-License-Identifier: Apache-2.0
// The tree learners' thresholds, bounds and schedules against closed forms and by hand.
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "core/theory/tree_learners.hpp"

namespace posse::theory {
namespace test_tree_learners {

namespace {

TEST_CASE("t-hoo: D is the least depth at which nu rho^D <= 1/sqrt(n)", "[theory]") {
  for (const double nu : {0.3, 1.0, 4.0}) {
    for (const double rho : {0.2, 0.5, 0.93}) {
      for (const std::uint64_t n : {10, 1000, 123456}) {
        std::uint32_t depth = 1;  // D >= 1 is required
        while (nu * std::pow(rho, depth) > 1 / std::sqrt(static_cast<double>(n))) ++depth;
        CHECK(t_hoo_depth(n, nu, rho) == depth);
      }
    }
  }
  CHECK(t_hoo_depth(1, 1, 0.5) == 1);
}

TEST_CASE("hct: L(t) is a staircase over the powers of two, at least ln 2", "[theory]") {
  const HctParameters p{.nu = 1, .rho = 0.5, .c = 0.1, .delta = 0.01};
  // ln(t+ / (c1 delta)), c1 = (1/6)^{1/8}
  const double base = std::log(100.0) + std::log(6.0) / 8;
  CHECK(hct_log_term(p, 1) == Approx(base));
  CHECK(hct_log_term(p, 2) == Approx(base + std::log(2.0)));
  CHECK(hct_log_term(p, 3) == hct_log_term(p, 4));
  CHECK(hct_log_term(p, 5) == Approx(base + std::log(8.0)));
  CHECK(hct_log_term({.nu = 1e-9, .rho = 0.9, .delta = 1}, 1) == Approx(std::log(2.0)));
}

TEST_CASE("hct: tau is the least number of pulls whose radius is at most nu rho^h", "[theory]") {
  for (const double c : {0.1, 1.0, 2.8}) {
    const HctParameters p{.nu = 0.7, .rho = 0.6, .c = c, .delta = 0.05};
    for (std::uint32_t h = 0; h < 12; ++h) {
      for (const std::uint64_t t : {1, 100, 100000}) {
        const double L = hct_log_term(p, t);
        const double oe = 0.7 * std::pow(0.6, h);
        const std::uint64_t tau = hct_pulls(p, L, h);
        CHECK(hct_radius(p, L, tau) <= oe * (1 + 1e-12));
        if (tau > 1) CHECK(hct_radius(p, L, tau - 1) > oe * (1 - 1e-12));
      }
    }
  }
}

TEST_CASE("vhct: tau is the least number of pulls whose radius is at most nu rho^h", "[theory]") {
  for (const double c : {0.1, 1.0, 2.8}) {
    const HctParameters p{.nu = 0.7, .rho = 0.6, .c = c, .delta = 0.05};
    for (const double variance : {1e-3, 0.01, 0.25}) {
      for (const double range : {0.2, 1.0}) {
        for (std::uint32_t h = 0; h < 12; ++h) {
          const double L = hct_log_term(p, 500);
          const double oe = 0.7 * std::pow(0.6, h);
          const std::uint64_t tau = vhct_pulls(p, range, variance, L, h);
          const auto radius = [&](double T) {
            return c * std::sqrt(2 * variance * L / T) + 3 * range * c * c * L / T;
          };
          const auto T = static_cast<double>(tau);
          CHECK(vhct_radius(p, range, variance, L, tau) == Approx(radius(T)).epsilon(1e-14));
          CHECK(radius(T) <= oe * (1 + 1e-12));
          if (tau > 1) CHECK(radius(T - 1) > oe * (1 - 1e-12));
        }
      }
    }
  }
}

TEST_CASE("hct: the depth bound is the deepest threshold that n pulls can reach", "[theory]") {
  for (const double c : {0.1, 1.0}) {
    for (const std::uint64_t n : {50, 10000}) {
      const HctParameters p{.nu = 1, .rho = 0.6, .c = c, .delta = 0.05};
      const double L = hct_log_term(p, 1);
      std::uint32_t h = 0;
      while (hct_pulls(p, L, h + 1) <= n) ++h;
      CHECK(hct_depth_bound(p, n) == h + 1);
      h = 0;
      while (vhct_pulls(p, 1, 1e-3, L, h + 1) <= n) ++h;
      CHECK(vhct_depth_bound(p, 1, n) == h + 1);
    }
  }
  // Lemma 4 of Shang, Kaufmann & Valko 2018 is weaker where it holds, and is not used where it
  // does not hold (delta~ = 1/2; see PAPERS.md, hct-5).
  const HctParameters p{.nu = 1, .rho = 0.5, .c = 0.1, .delta = 0.01};
  CHECK(hct_depth_paper_applies(p));
  CHECK(hct_depth_paper(p, 10000) == std::ceil(std::log(10000 / (0.01 * 0.25))));
  CHECK(hct_depth_paper(p, 10000) >= static_cast<double>(hct_depth_bound(p, 10000)));
  CHECK_FALSE(hct_depth_paper_applies({.nu = 0.01, .rho = 0.5, .delta = 1}));
}

TEST_CASE("hct: the bound of cells counts what every depth can expand", "[theory]") {
  // c = 1, nu = 1, rho = 1/2, L(1) = ln(1 / (c1 delta)), c1 = 6^{-1/8}: tau_h = ceil(L 4^h).
  const theory::HctParameters p{.nu = 1, .rho = 0.5, .c = 1, .delta = 0.01};
  const double log_term = std::log(100 * std::pow(6, 0.125));
  CHECK(log_term == Approx(4.829).margin(1e-3));
  // tau_1 = 20, tau_2 = 78, tau_3 = 310: of 400 pulls 2, 4 and 1 cells can have as many.
  CHECK(theory::hct_cells_bound(p, std::nullopt, 400, 2, 62) == 1 + 2 * (1 + 2 + 4 + 1));
  CHECK(theory::hct_cells_bound(p, std::nullopt, 400, 3, 62) == 1 + 3 * (1 + 3 + 5 + 1));
  CHECK(theory::hct_cells_bound(p, std::nullopt, 19, 2, 62) == 3);
  // VHCT's thresholds are lower where rewards vary least.
  CHECK(theory::hct_cells_bound(p, 0.01, 400, 2, 62) > 17);
  // Smoothness close to none: the depth bound is astronomic, the partition's limit is not.
  const theory::HctParameters flat{.nu = 1, .rho = 1 - 1e-9};
  CHECK(theory::hct_cells_bound(flat, std::nullopt, 1000, 2, 62) <= 1 + 2 * (1 + 61 * 1000.0));
}

TEST_CASE("hct: the regret bound has its three terms and grows as n^{(d+1)/(d+2)}", "[theory]") {
  const HctParameters p{.nu = 1, .rho = 0.5, .c = hct_theory_c(0.5), .delta = 0.01};
  CHECK(hct_constants_apply(p));
  CHECK_FALSE(hct_constants_apply({}));
  CHECK(hct_theory_c(0.75) == 4);
  // n = 10^4, d = 0, C = 1: L_n = ln(2·10^6 · 6^{1/8}), 24 sqrt(4 L_n / 0.25) · 100.
  const double log_n = std::log(2e6) + std::log(6.0) / 8;
  CHECK(hct_regret_bound(p, 10000, 0, 1) ==
        Approx(100 + std::sqrt(2e4 * std::log(4e10)) + 2400 * std::sqrt(16 * log_n)));
  const double ratio =
      hct_regret_bound(p, 100'000'000, 2, 1) / hct_regret_bound(p, 1'000'000, 2, 1);
  CHECK(ratio > std::pow(100, 0.75));
  CHECK(ratio < 1.2 * std::pow(100, 0.75));
}

TEST_CASE("hoo, poo and stosoo: rates follow their formulas", "[theory]") {
  CHECK(hoo_regret_rate(100, 0) == Approx(10 * std::sqrt(std::log(100.0))));
  CHECK(poo_loss_rate(100, 0) == Approx(std::log(100.0) / 10));
  CHECK(poo_loss_rate(100, 2) == Approx(std::sqrt(std::log(100.0) / 10)));
  CHECK(stosoo_loss_rate(100) == Approx(std::pow(std::log(100.0), 2) / 10));
}

TEST_CASE("poo and gpo: the number of instances and their rho follow the schedules", "[theory]") {
  CHECK(poo_depth_constant(2, 0.5) == 1);
  CHECK(poo_depth_constant(4, 0.5) == 2);
  const double D = poo_depth_constant(2, 0.9);  // 6.5788
  CHECK_FALSE(poo_doubles(2, 1, D));
  CHECK(poo_doubles(3, 1, D));  // 3.2894 ln(3 / 1.0986) = 3.30
  CHECK(poo_doubles(3, 3, D));
  CHECK_FALSE(poo_doubles(3, 4, D));
  CHECK(poo_rho(0.9, 1, 1) == Approx(std::pow(0.9, 2.0 / 3)));
  CHECK(poo_rho(0.9, 4, 2) == Approx(std::pow(0.9, 8.0 / 5)));
  // n = 10^4: 3.2894 ln(5000 / 8.517) = 20.97
  CHECK(gpo_instances(10000, D) == 21);
  CHECK(gpo_instances(5, D) == 1);
  CHECK(gpo_instances(1, D) == 1);
  // 500 ln(10 / 2.303) = 734, but 20 evaluations serve 10 instances at most.
  CHECK(gpo_instances(20, 1000) == 10);
}

TEST_CASE("stosoo: kappa, delta and h_max follow their formulas", "[theory]") {
  // ln^3 10000 = 781.3
  CHECK(stosoo_pulls(10000) == 13);
  CHECK(stosoo_delta(10000) == Approx(0.01));
  CHECK(stosoo_depth(10000, 13) == 27);
  CHECK(stosoo_depth(16, 1) == 4);
  CHECK(stosoo_pulls(1) == std::uint64_t{1} << 63);
  CHECK(stosoo_depth(1, stosoo_pulls(1)) == 0);
}

}  // namespace
}  // namespace test_tree_learners

}  // namespace posse::theory
