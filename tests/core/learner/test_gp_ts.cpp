// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <cmath>

#include "core/learner/gp_ts.hpp"
#include "tests/support/dense.hpp"

namespace posse::test_gp_ts {
namespace {

using test::inverse;
using test::Matrix;

double rbf(std::span<const double> x, std::span<const double> y, double l) {
  double squared = 0;
  for (std::size_t j = 0; j < x.size(); ++j) squared += (x[j] - y[j]) * (x[j] - y[j]);
  return std::exp(-squared / (2 * l * l));
}

/// The textbook posterior given rewards at arms: k(x, X) (K + lambda I)^-1 y and so on.
struct Dense {
  std::vector<double> mean;
  Matrix covariance;
  double information_gain = 0;
};
Dense dense_posterior(const ArmPoints& arms,
                      const std::vector<std::uint32_t>& played,
                      const std::vector<double>& rewards,
                      double lambda,
                      double l) {
  const std::size_t t = played.size();
  const auto k = [&](std::uint32_t x, std::uint32_t y) {
    return rbf(arms.unit_point(x), arms.unit_point(y), l);
  };
  Matrix gram(t, std::vector<double>(t));
  for (std::size_t i = 0; i < t; ++i)
    for (std::size_t j = 0; j < t; ++j)
      gram[i][j] = k(played[i], played[j]) + (i == j ? lambda : 0);
  const auto [precision, log_determinant] = inverse(gram);
  Dense dense;
  dense.information_gain = (log_determinant - static_cast<double>(t) * std::log(lambda)) / 2;
  for (std::uint32_t x = 1; x <= arms.size(); ++x) {
    double mean = 0;
    for (std::size_t i = 0; i < t; ++i)
      for (std::size_t j = 0; j < t; ++j) mean += k(x, played[i]) * precision[i][j] * rewards[j];
    dense.mean.push_back(mean);
    dense.covariance.emplace_back();
    for (std::uint32_t y = 1; y <= arms.size(); ++y) {
      double covariance = k(x, y);
      for (std::size_t i = 0; i < t; ++i)
        for (std::size_t j = 0; j < t; ++j)
          covariance -= k(x, played[i]) * precision[i][j] * k(y, played[j]);
      dense.covariance.back().push_back(covariance);
    }
  }
  return dense;
}

double reward_of(std::uint32_t arm, std::size_t step) {
  return 0.5 + 0.4 * std::sin(arm * 1.7) + 0.1 * std::cos(static_cast<double>(step) * 2.3);
}

TEST_CASE("the features of GP-TS multiply to the kernel, with few columns where it is smooth",
          "[gp_ts]") {
  for (const std::size_t d : {1, 2, 3, 10}) {
    const ArmPoints arms(Box::cube(d, -1, 3), {.per_dimension = 14, .random_points = 60}, Seed{d});
    const KernelFeatures features(arms, 0.2);
    CHECK(features.rank() <= arms.size());
    if (d == 2) CHECK(features.rank() < 150);  // of 196
    for (std::uint32_t x = 1; x <= arms.size(); ++x)
      for (std::uint32_t y = 1; y <= x; ++y) {
        double product = 0;
        for (std::size_t j = 0; j < features.rank(); ++j)
          product += features.row(x)[j] * features.row(y)[j];
        REQUIRE(product ==
                Approx(rbf(arms.unit_point(x), arms.unit_point(y), 0.2)).epsilon(0).margin(1e-11));
      }
  }
}

TEST_CASE("the posterior of GP-TS is the dense formula's, whatever was played", "[gp_ts]") {
  for (const std::size_t d : {1, 2, 5}) {
    const ArmPoints arms(Box::cube(d, 0, 2), {.per_dimension = 5, .random_points = 25}, Seed{d});
    const KernelFeatures features(arms, 0.2);
    GpTs learner(features, {.lambda = 1.02, .v = 0.5, .seed = Seed{4}});
    std::vector<std::uint32_t> played;
    std::vector<double> rewards;
    for (std::size_t t = 0; t < 40; ++t) {
      const auto arm = static_cast<std::uint32_t>(learner.next().index);
      played.push_back(arm);
      rewards.push_back(reward_of(arm, t));
      learner.tell(rewards.back());
    }
    const auto dense = dense_posterior(arms, played, rewards, 1.02, 0.2);
    const auto mean = learner.mean();
    for (std::uint32_t x = 1; x <= arms.size(); ++x) {
      CHECK(mean[x - 1] == Approx(dense.mean[x - 1]).epsilon(0).margin(1e-10));
      for (std::uint32_t y = 1; y <= arms.size(); ++y)
        REQUIRE(learner.covariance(x, y) ==
                Approx(dense.covariance[x - 1][y - 1]).epsilon(0).margin(1e-10));
    }
    CHECK(learner.information_gain() == Approx(dense.information_gain).epsilon(1e-10));
    const auto best = std::max_element(dense.mean.begin(), dense.mean.end()) - dense.mean.begin();
    CHECK(learner.recommend() == Cell{0, static_cast<std::uint64_t>(best) + 1});
  }
}

TEST_CASE("draws of GP-TS have the posterior's moments, scaled by v", "[gp_ts][statistical]") {
  const ArmPoints arms(Box::cube(1, 0, 1), {.per_dimension = 8}, Seed{2});
  const KernelFeatures features(arms, 0.2);
  constexpr double kV = 0.3;
  GpTs learner(features, {.lambda = 0.1, .v = kV, .seed = Seed{9}});
  for (std::size_t t = 0; t < 6; ++t)
    learner.tell(reward_of(static_cast<std::uint32_t>(learner.next().index), t));
  constexpr int kDraws = 20'000;
  std::vector<double> sum(8);
  Matrix products(8, std::vector<double>(8));
  const auto mean = learner.mean();
  for (int i = 0; i < kDraws; ++i) {
    const auto f = learner.sample(1000 + static_cast<std::uint64_t>(i));
    for (std::size_t x = 0; x < 8; ++x) {
      sum[x] += f[x];
      for (std::size_t y = 0; y < 8; ++y) products[x][y] += (f[x] - mean[x]) * (f[y] - mean[y]);
    }
  }
  const auto k = [&](std::size_t x, std::size_t y) {
    return kV * kV *
           learner.covariance(static_cast<std::uint32_t>(x) + 1, static_cast<std::uint32_t>(y) + 1);
  };
  // Five standard deviations of each estimate: 72 of them, one fails in 20 000 seeds.
  for (std::size_t x = 0; x < 8; ++x) {
    CHECK(std::abs(sum[x] / kDraws - mean[x]) < 5 * std::sqrt(k(x, x) / kDraws));
    for (std::size_t y = 0; y < 8; ++y) {
      const double spread = std::sqrt((k(x, x) * k(y, y) + k(x, y) * k(x, y)) / kDraws);
      CHECK(std::abs(products[x][y] / kDraws - k(x, y)) < 5 * spread);
    }
  }
}

TEST_CASE("GP-TS plays the argmax of its draw, the draw depends on seed, name and step alone",
          "[gp_ts]") {
  const ArmPoints arms(Box::cube(2, 0, 1), {.per_dimension = 6}, Seed{1});
  const KernelFeatures features(arms, 0.2);
  const auto plays = [&](Seed seed, std::string name) {
    GpTs learner(features, {.lambda = 1.1, .v = 0.5, .seed = seed, .name = std::move(name)});
    std::vector<std::uint64_t> arms_played;
    for (std::size_t t = 0; t < 30; ++t) {
      const auto f = learner.sample(t);
      const auto best = std::max_element(f.begin(), f.end()) - f.begin();
      const Cell choice = learner.next();
      CHECK(choice == Cell{0, static_cast<std::uint64_t>(best) + 1});
      arms_played.push_back(choice.index);
      learner.tell(reward_of(static_cast<std::uint32_t>(choice.index), t));
    }
    return arms_played;
  };
  CHECK(plays(Seed{1}, "server") == plays(Seed{1}, "server"));
  CHECK(plays(Seed{1}, "server") != plays(Seed{1}, "client-0"));
  CHECK(plays(Seed{1}, "server") != plays(Seed{2}, "server"));
}

TEST_CASE("GP-TS finds a clear maximum", "[gp_ts]") {
  const ArmPoints arms(Box::cube(1, 0, 1), {.per_dimension = 50}, Seed{3});
  const KernelFeatures features(arms, 0.2);
  GpTs learner(features, {.lambda = 1 + 2.0 / 2000, .v = 0.1, .seed = Seed{3}});
  CHECK(learner.recommend() == Cell{0, 1});
  const auto f = [](double x) { return 1 - 4 * (x - 0.7) * (x - 0.7); };
  for (int t = 0; t < 2000; ++t) learner.tell(f(arms.point(learner.next())[0]));
  double best = 0;
  for (std::uint32_t arm = 1; arm <= 50; ++arm) best = std::max(best, f(arms.point(arm)[0]));
  CHECK(f(arms.point(learner.recommend())[0]) > best - 0.01);
}

TEST_CASE("the theory's v of GP-TS grows with the information gain", "[gp_ts]") {
  const ArmPoints arms(Box::cube(1, 0, 1), {.per_dimension = 10}, Seed{3});
  const KernelFeatures features(arms, 0.2);
  GpTs learner(features,
               {.lambda = 1, .theory_v = true, .norm_bound = 1, .sub_gaussian = 0.5, .delta = 0.1});
  // Before any reward gamma = 0: 1 + 0.5 sqrt(2 (1 + ln 20)) = 2.413459.
  CHECK(learner.v() == Approx(2.413459).epsilon(1e-6));
  learner.next();
  learner.tell(1);
  // gamma = ln(1 + 1) / 2 after one reward with lambda = 1.
  CHECK(learner.information_gain() == Approx(std::log(2.0) / 2));
  CHECK(learner.v() == Approx(1 + 0.5 * std::sqrt(2 * (std::log(2.0) / 2 + 1 + std::log(20.0)))));
}

TEST_CASE("GP-TS has the stated parameters and refuses more arms than it can factor", "[gp_ts]") {
  auto parameters = default_parameters(gp_ts_parameters());
  const auto options = gp_ts_options(parameters, 1000, Seed{1}, "server");
  CHECK(options.lambda == 1.002);
  CHECK(options.v == 0.1);
  CHECK_FALSE(options.theory_v);
  CHECK(validate_gp_ts(parameters, 2).empty());
  CHECK(validate_gp_ts(parameters, 10).empty());
  parameters.set("arms_per_dimension", std::int64_t{65});
  CHECK(validate_gp_ts(parameters, 1).empty());
  REQUIRE(validate_gp_ts(parameters, 2).size() == 1);
  CHECK(validate_gp_ts(parameters, 2)[0].find("4225") != std::string::npos);
}

}  // namespace
}  // namespace posse::test_gp_ts
