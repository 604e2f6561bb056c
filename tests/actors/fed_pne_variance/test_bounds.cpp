// SPDX-License-Identifier: Apache-2.0
// Variance-aware radii: closed forms, and coverage for clients that differ.
#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "actors/common/reward_moments.hpp"
#include "actors/fed_pne_variance/bounds.hpp"

namespace posse::theory {
namespace test_fed_pne_variance {

namespace {

TEST_CASE("variance radii: tau is the least number of looks at which B is nu1 rho^h") {
  std::mt19937 random(71);
  const auto unit = [&] { return static_cast<double>(random() % 10000) / 10000; };
  for (int trial = 0; trial < 300; ++trial) {
    const FedPneParameters p{.clients = 1 + random() % 50,
                             .horizon = 2 + random() % 100'000,
                             .nu1 = 0.2 + 3 * unit(),
                             .rho = 0.3 + 0.6 * unit(),
                             .c = 0.05 + 2 * unit(),
                             .c1 = 1 + unit(),
                             .delta = 0.01 + 0.99 * unit()};
    const VarianceParameters v{.range = 0.1 + unit(), .floor = 1e-3};
    const double variance = usable_variance(v, unit() * v.range * v.range);
    const double l = 2 * p.c * p.c * std::log(p.c1 * static_cast<double>(p.horizon) / p.delta);
    const auto radius = [&](double n) {
      return std::sqrt(2 * variance * l / n) + 3 * v.range * l / n;
    };
    for (std::uint32_t h = 0; h <= 10; ++h) {
      const double g = p.nu1 * std::pow(p.rho, h);
      const auto tau = fed_pne_variance_tau(p, v, variance, h);
      if (tau > 1'000'000'000'000) break;
      REQUIRE(radius(static_cast<double>(tau)) <= g * (1 + 1e-9));
      if (tau > 1) REQUIRE(radius(static_cast<double>(tau) - 1) > g * (1 - 1e-9));
      const auto pulls = fed_pne_variance_pulls(p, v, variance, h);
      REQUIRE(pulls >= 3);
      REQUIRE(pulls * p.clients >= tau);
      if (pulls > 3) REQUIRE((pulls - 1) * p.clients < tau);
      REQUIRE(fed_pne_variance_radius(p, v, variance, pulls) ==
              Approx(radius(static_cast<double>(pulls * p.clients))));
      // A smaller variance never needs more.
      REQUIRE(fed_pne_variance_tau(p, v, variance / 2, h) <= tau);
    }
  }
}

TEST_CASE("variance radii: at the largest variance the first term is Fed-PNE's radius") {
  const FedPneParameters p{.clients = 10, .horizon = 10'000, .delta = 0.1};
  for (const std::uint64_t pulls : {1, 20, 3000}) {
    const double l = 2 * 0.01 * std::log(1e5);
    CHECK(fed_pne_variance_radius(p, {}, 0.25, pulls) ==
          Approx(fed_pne_radius(p, pulls, 10) + 3 * l / (10.0 * static_cast<double>(pulls))));
  }
  CHECK(usable_variance({}, 0) == 1e-3);
  CHECK(usable_variance({}, 0.4) == 0.25);
  CHECK(usable_variance({.range = 0.02}, 0) == 1e-4);
}

TEST_CASE("variance radii: exchanges of a phase end at what the largest variance needs") {
  const FedPneParameters p{.clients = 4, .horizon = 100'000, .c = 0.3, .delta = 0.25};
  for (std::uint32_t h = 0; h <= 12; ++h) {
    const auto most = fed_pne_variance_pulls(p, {}, 0.25, h);
    std::uint64_t exchanges = 1;
    for (double pulls = 3; pulls < static_cast<double>(most); ++exchanges)
      pulls += std::ceil(pulls / 4);
    CHECK(fed_pne_variance_exchanges(p, {}, h) == exchanges);
  }
  const auto deepest = fed_pne_variance_depth_ceiling(p, {}, 62);
  CHECK(2 * fed_pne_variance_pulls(p, {}, 1e-3, deepest) <= 100'000);
  CHECK(2 * fed_pne_variance_pulls(p, {}, 1e-3, deepest + 1) > 100'000);
  CHECK(fed_pne_variance_depth_ceiling(p, {}, 2) == 2);
}

TEST_CASE("moments: the textbook's variance, without cancellation") {
  RewardMoments moments;
  const std::vector<double> rewards{0.2, 0.9, 0.4, 0.4, 0.1};
  for (const double r : rewards) moments.add(1e6 + r);
  CHECK(moments.mean() == Approx(1e6 + 0.4));
  CHECK(moments.variance() == Approx((0.04 + 0.25 + 0 + 0 + 0.09) / 4).epsilon(1e-6));
  RewardMoments equal;
  for (int i = 0; i < 100; ++i) equal.add(0.1);
  CHECK(equal.variance() == 0);
  CHECK(equal.mean() == 0.1);
  RewardMoments one;
  one.add(0.7);
  CHECK(one.variance() == 0);
}

TEST_CASE("variance radii cover the mean of different clients as often as they promise") {
  // 3 e^{-L} with L = 3: at most 15 % outside. Clients' means and variances differ widely.
  std::mt19937_64 random(72);
  const auto uniform = [&] { return (static_cast<double>(random() >> 11) + 0.5) * 0x1p-53; };
  for (const std::uint64_t t : {3, 4, 10, 60}) {
    const std::uint32_t m = 5;
    const FedPneParameters p{.clients = m,
                             .horizon = 1,
                             .c = 1,
                             .c1 = std::exp(1.5),  // Lambda = 3/2, L = 3
                             .delta = 1};
    int outside = 0;
    double within = 0;
    constexpr int kTrials = 3000;
    for (int trial = 0; trial < kTrials; ++trial) {
      double mean = 0;
      double variance = 0;
      double truth = 0;
      for (std::uint32_t client = 0; client < m; ++client) {
        // Coins of probability f: 0.02, 0.26, …, 0.98.
        const double f = 0.02 + 0.24 * client;
        RewardMoments moments;
        for (std::uint64_t i = 0; i < t; ++i) moments.add(uniform() < f ? 1 : 0);
        mean += moments.mean() / m;
        variance += moments.variance() / m;
        truth += f / m;
      }
      within += variance / kTrials;
      const double b = fed_pne_variance_radius(p, {.floor = 1e-12}, variance, t);
      outside += std::abs(mean - truth) > b ? 1 : 0;
    }
    double average = 0;  // of f (1 - f), which leaves out how the f differ
    for (std::uint32_t client = 0; client < m; ++client) {
      const double f = 0.02 + 0.24 * client;
      average += f * (1 - f) / m;
    }
    CHECK(within == Approx(average).epsilon(0.05));
    CHECK(outside <= kTrials * 3 * std::exp(-3));
  }
}

}  // namespace
}  // namespace test_fed_pne_variance

}  // namespace posse::theory
