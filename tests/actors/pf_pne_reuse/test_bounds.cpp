// SPDX-License-Identifier: Apache-2.0
// PF-PNE with reuse: confidence by depth, and the estimate of how much clients differ.
#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "actors/pf_pne_reuse/bounds.hpp"

namespace posse::theory {
namespace test_pf_pne_reuse {

namespace {

TEST_CASE("reuse: confidence follows what is at stake at a depth, and is 1 at least") {
  const ReuseParameters p{.clients = 10, .horizon = 10'000};
  CHECK(reuse_log_term(p, Stake::together, 0) == Approx(std::log(1e5)));
  CHECK(reuse_log_term(p, Stake::alone, 0) == Approx(std::log(1e4)));
  CHECK(reuse_log_term(p, Stake::together, 4) == Approx(std::log(1e5 / 256)));
  CHECK(reuse_log_term(p, Stake::alone, 6) == 1);  // ln 2.44 < 1
  ReuseParameters horizon = p;
  horizon.confidence = Confidence::horizon;
  horizon.delta = 0.1;
  for (const std::uint32_t depth : {0, 3, 20}) {
    CHECK(reuse_log_term(horizon, Stake::together, depth) == Approx(std::log(1e5)));
    CHECK(reuse_log_term(horizon, Stake::alone, depth) == Approx(std::log(1e5)));
  }
}

TEST_CASE("reuse: tau is the least number of rewards at which the radius is nu1 rho^h") {
  std::mt19937 random(61);
  const auto unit = [&] { return static_cast<double>(random() % 10000) / 10000; };
  for (int trial = 0; trial < 300; ++trial) {
    const ReuseParameters p{
        .clients = 1 + random() % 50,
        .horizon = 2 + random() % 100'000,
        .nu1 = 0.2 + 3 * unit(),
        .rho = 0.3 + 0.6 * unit(),
        .c = 0.05 + unit(),
        .confidence = random() % 2 == 0 ? Confidence::level : Confidence::horizon,
        .c1 = 1 + unit(),
        .delta = 0.01 + 0.99 * unit()};
    for (const auto stake : {Stake::together, Stake::alone})
      for (std::uint32_t h = 0; h <= 10; ++h) {
        const double width = p.nu1 * std::pow(p.rho, h);
        const std::uint64_t tau = reuse_tau(p, stake, h);
        REQUIRE(reuse_radius(p, stake, h, tau) <= width * (1 + 1e-9));
        if (tau > 1) REQUIRE(reuse_radius(p, stake, h, tau - 1) > width * (1 - 1e-9));
      }
  }
}

TEST_CASE(
    "the clients' spread is the root of the estimate less two standard deviations and the noise") {
  // (M - 1) cells = 800: 0.04 (1 - 2 sqrt(2 / 800)) - 0.01 = 0.026.
  CHECK(clients_spread(101, 8, 0.04, 0.01) == Approx(std::sqrt(0.026)));
  CHECK(clients_spread(101, 8, 0.011, 0.01) == 0);
  CHECK(clients_spread(2, 1, 1e9, 0) == 0);  // two clients at one cell: nothing is sure
}

TEST_CASE("the clients' spread is seldom above 0 for clients that are alike") {
  // Means of clients with the same f: only noise, of known variance. Normal numbers.
  std::mt19937 random(62);
  const auto normal = [&] {
    const double u = (static_cast<double>(random()) + 0.5) * 0x1p-32;
    const double v = (static_cast<double>(random()) + 0.5) * 0x1p-32;
    return std::sqrt(-2 * std::log(u)) * std::cos(2 * M_PI * v);
  };
  for (const std::uint64_t clients : {5, 30}) {
    int above = 0;
    int noticed = 0;
    constexpr int kTrials = 4000;
    for (int trial = 0; trial < kTrials; ++trial) {
      const auto mean_variance = [&](double sd) {
        constexpr int kCells = 4;
        double sum = 0;
        for (int cell = 0; cell < kCells; ++cell) {
          double mean = 0;
          double squares = 0;
          for (std::uint64_t m = 1; m <= clients; ++m) {
            const double d = sd * normal() - mean;
            mean += d / static_cast<double>(m);
            squares += d * d * static_cast<double>(m - 1) / static_cast<double>(m);
          }
          sum += squares / static_cast<double>(clients - 1);
        }
        return sum / kCells;
      };
      above += clients_spread(clients, 4, mean_variance(1), 1) > 0 ? 1 : 0;
      noticed += clients_spread(clients, 4, mean_variance(3), 1) > 0 ? 1 : 0;
    }
    CHECK(above < 0.025 * kTrials);
    CHECK(noticed > 0.7 * kTrials);
  }
}

}  // namespace
}  // namespace test_pf_pne_reuse

}  // namespace posse::theory
