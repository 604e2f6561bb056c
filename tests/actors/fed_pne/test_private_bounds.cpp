// SPDX-License-Identifier: Apache-2.0
// Private Fed-PNE's closed forms, against the definitions they solve.
#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "actors/fed_pne/private_bounds.hpp"

namespace posse::theory {
namespace test_dp_fed_pne {

namespace {

constexpr auto kLaplace = PrivacyMechanism::laplace;
constexpr auto kGaussian = PrivacyMechanism::gaussian;

/// W by its definition, from beta.
double width(const FedPneParameters& p, const Privacy& v) {
  const double m = static_cast<double>(p.clients);
  const double lambda = std::log(p.c1 * static_cast<double>(p.horizon) / p.delta);
  const double st = std::sqrt(2 * std::log(1.25 / v.delta)) / v.epsilon;
  if (!v.theory_radius)
    return p.c * std::sqrt(lambda / m) * (v.mechanism == kLaplace ? std::sqrt(2) / v.epsilon : st);
  const double beta =
      2 * std::pow(p.delta / (p.c1 * static_cast<double>(p.horizon)), 2 * p.c * p.c);
  const double l = std::log(2 / beta);
  if (v.mechanism == kGaussian) return st * std::sqrt(2 * l / m);
  return 1 / (m * v.epsilon) * std::max(std::sqrt(m), std::sqrt(2 * l)) * std::sqrt(8 * l);
}

struct Case {
  FedPneParameters p;
  Privacy privacy;
};

Case random_case(std::mt19937& random) {
  const auto unit = [&] { return static_cast<double>(random() % 10000) / 10000; };
  Case s;
  s.p = {.clients = 1 + random() % 100,
         .horizon = 2 + random() % 100'000,
         .nu1 = 0.2 + 3 * unit(),
         .rho = 0.3 + 0.6 * unit(),
         .c = 0.05 + unit(),
         .c1 = 1 + unit(),
         .delta = 0.01 + 0.99 * unit()};
  s.privacy = {.mechanism = random() % 2 == 0 ? kLaplace : kGaussian,
               .epsilon = 0.01 + unit(),
               .delta = 1e-6 + 1e-2 * unit(),
               .theory_radius = random() % 2 == 0};
  return s;
}

TEST_CASE("privacy: W is the formula of the noise's tail or deviation") {
  std::mt19937 random(51);
  for (int trial = 0; trial < 500; ++trial) {
    const auto [p, privacy] = random_case(random);
    REQUIRE(dp_fed_pne_width(p, privacy, p.clients) == Approx(width(p, privacy)).epsilon(1e-9));
  }
  // By hand: M = 4, epsilon = 1/2, c sqrt(Lambda) = 3 exactly.
  const FedPneParameters p{.clients = 4, .horizon = 1, .c = 3, .c1 = std::exp(1.0), .delta = 1};
  const Privacy laplace{.mechanism = kLaplace, .epsilon = 0.5, .theory_radius = true};
  CHECK(dp_fed_pne_width(p, laplace, 4) == Approx(4 * 3 * 6 / (4 * 0.5)));
  CHECK(dp_fed_pne_width(p, laplace, 100) == Approx(4 * 3 * 10 / (100 * 0.5)));
}

TEST_CASE("privacy: tau' is the least number of looks whose radius is nu1 rho^h") {
  std::mt19937 random(52);
  int checked = 0;
  for (int trial = 0; trial < 500; ++trial) {
    const auto [p, privacy] = random_case(random);
    const auto m = static_cast<double>(p.clients);
    const double lambda = std::log(p.c1 * static_cast<double>(p.horizon) / p.delta);
    const auto radius = [&](double t) {
      return p.c * std::sqrt(lambda / (m * t)) + width(p, privacy) / t;
    };
    for (std::uint32_t h = 0; h <= 12; ++h) {
      const double g = p.nu1 * std::pow(p.rho, h);
      const auto tau = static_cast<double>(dp_fed_pne_tau(p, privacy, h));
      if (tau > 1e12) break;
      REQUIRE(radius(tau / m) <= g * (1 + 1e-9));
      if (tau > 1) {
        REQUIRE(radius((tau - 1) / m) > g * (1 - 1e-9));
        ++checked;
      }
      const auto pulls = dp_fed_pne_pulls(p, privacy, h);
      REQUIRE(pulls * p.clients >= static_cast<std::uint64_t>(tau));
      REQUIRE((pulls - 1) * p.clients < static_cast<std::uint64_t>(tau));
      REQUIRE(dp_fed_pne_radius(p, privacy, pulls, p.clients) <= g * (1 + 1e-9));
      REQUIRE(dp_fed_pne_pulls(p, privacy, h) >= fed_pne_pulls(p, h));
      for (const std::uint64_t cells : {1, 2, 3, 17})
        REQUIRE(dp_fed_pne_expands(p, privacy, h, cells) ==
                (h < 1 || static_cast<double>(cells) * tau <= m));
    }
  }
  CHECK(checked > 2000);
}

TEST_CASE("privacy: without noise every function is Fed-PNE's, bit for bit") {
  std::mt19937 random(53);
  for (int trial = 0; trial < 200; ++trial) {
    auto [p, privacy] = random_case(random);
    privacy.epsilon = std::numeric_limits<double>::infinity();
    REQUIRE(privacy_noise_sd(privacy) == 0);
    REQUIRE(privacy_noise_quantile(privacy, 0.9) == 0);
    for (std::uint32_t h = 0; h <= 12; ++h) {
      REQUIRE(dp_fed_pne_tau(p, privacy, h) == fed_pne_tau(p, h));
      REQUIRE(dp_fed_pne_pulls(p, privacy, h) == fed_pne_pulls(p, h));
      REQUIRE(dp_fed_pne_expands(p, privacy, h, h + 1) == fed_pne_expands(p, h, h + 1));
      REQUIRE(dp_fed_pne_radius(p, privacy, h + 1, p.clients) ==
              fed_pne_radius(p, h + 1, p.clients));
    }
  }
}

TEST_CASE("privacy: looks grow as epsilon shrinks, and no constants overflow") {
  for (const auto mechanism : {kLaplace, kGaussian}) {
    const FedPneParameters p{.clients = 10, .horizon = 1000, .delta = 0.1};
    std::uint64_t before = 0;
    for (const double epsilon : {1.0, 0.3, 0.1, 0.01, 1e-6}) {
      const auto tau = dp_fed_pne_tau(p, {.mechanism = mechanism, .epsilon = epsilon}, 4);
      CHECK(tau > before);
      before = tau;
    }
    for (const double c : {1e-100, 1.0, 1e100})
      for (const double nu1 : {1e-100, 1.0, 1e100})
        for (const double rho : {1e-6, 0.5, 1 - 1e-9})
          for (const double epsilon : {1e-6, 1.0, 1e6})
            for (const bool theory : {false, true})
              for (const std::uint32_t h : {0u, 1u, 62u}) {
                FedPneParameters extreme = p;
                extreme.c = c;
                extreme.nu1 = nu1;
                extreme.rho = rho;
                const auto tau = dp_fed_pne_tau(
                    extreme,
                    {.mechanism = mechanism, .epsilon = epsilon, .theory_radius = theory},
                    h);
                REQUIRE(tau >= 1);
                REQUIRE(tau <= std::uint64_t{1} << 63);
                REQUIRE(tau >= std::min(fed_pne_tau(extreme, h), std::uint64_t{1} << 62) / 2);
              }
  }
}

TEST_CASE("privacy: quantiles invert the distribution functions") {
  for (const double epsilon : {0.1, 1.0}) {
    for (const double u : {1e-12, 0.001, 0.2, 0.5, 0.7, 0.999, 1 - 1e-12}) {
      const double x = privacy_noise_quantile({.mechanism = kLaplace, .epsilon = epsilon}, u);
      const double below = x < 0 ? std::exp(x * epsilon) / 2 : 1 - std::exp(-x * epsilon) / 2;
      CHECK(below == Approx(u).epsilon(1e-9));
      const Privacy gaussian{.mechanism = kGaussian, .epsilon = epsilon, .delta = 1e-5};
      const double y = privacy_noise_quantile(gaussian, u);
      CHECK(std::erfc(-y / privacy_noise_sd(gaussian) / std::sqrt(2)) / 2 ==
            Approx(u).epsilon(1e-7));
    }
  }
}

TEST_CASE("privacy: the mean of M noises leaves W no more often than beta allows") {
  std::mt19937_64 random(54);
  // c sqrt(Lambda) = 1, so beta = 2 exp(-2) would allow 27 %; it is looser for Laplace.
  for (const auto mechanism : {kLaplace, kGaussian}) {
    for (const std::uint64_t m : {1, 4, 50}) {
      const FedPneParameters p{.clients = m, .horizon = 1, .c = 1, .c1 = std::exp(1.0), .delta = 1};
      const Privacy privacy{.mechanism = mechanism, .epsilon = 0.7, .theory_radius = true};
      const double w = dp_fed_pne_width(p, privacy, m);
      int outside = 0;
      constexpr int kTrials = 4000;
      for (int trial = 0; trial < kTrials; ++trial) {
        double sum = 0;
        for (std::uint64_t i = 0; i < m; ++i)
          sum += privacy_noise_quantile(privacy,
                                        (static_cast<double>(random() >> 11) + 0.5) * 0x1p-53);
        outside += std::abs(sum / static_cast<double>(m)) > w ? 1 : 0;
      }
      // Five standard deviations above beta.
      CHECK(outside <= kTrials * (0.2707 + 5 * 0.45 / std::sqrt(kTrials)));
    }
  }
}

TEST_CASE("privacy: no complete phase is deeper than the ceiling") {
  const FedPneParameters p{.clients = 10, .horizon = 10'000, .delta = 0.1};
  const Privacy privacy{.epsilon = 0.1};
  const auto deepest = dp_fed_pne_depth_ceiling(p, privacy, 62);
  CHECK(2 * dp_fed_pne_pulls(p, privacy, deepest) <= 10'000);
  CHECK(2 * dp_fed_pne_pulls(p, privacy, deepest + 1) > 10'000);
  CHECK(dp_fed_pne_depth_ceiling(p, privacy, 3) == 3);
}

}  // namespace
}  // namespace test_dp_fed_pne

}  // namespace posse::theory
