// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "core/learner/relu_features.hpp"
#include "tests/support/dense.hpp"

namespace posse::test_relu_features {
namespace {

ReluFeatures features_of(std::size_t d, std::uint32_t width, std::uint64_t seed = 1) {
  const ArmPoints arms(Box::cube(d, 0, 10), {.per_dimension = 9, .random_points = 30}, Seed{seed});
  return ReluFeatures(arms, width, Seed{seed});
}

TEST_CASE("the inputs of a net are the centred coordinates and a 1", "[relu]") {
  const ArmPoints arms(Box::cube(2, 5, 9), {.per_dimension = 3}, Seed{4});
  const ReluFeatures features(arms, 7, Seed{4});
  CHECK(features.size() == 7 * 4);
  for (std::uint32_t arm = 1; arm <= 9; ++arm) {
    const auto x = arms.point(arm);
    CHECK(features.input(arm)[0] == Approx((x[0] - 5) / 4 - 0.5));
    CHECK(features.input(arm)[1] == Approx((x[1] - 5) / 4 - 0.5));
    CHECK(features.input(arm)[2] == 1);
  }
}

TEST_CASE("initial weights are standard normal, the same for all and different by seed", "[relu]") {
  const auto features = features_of(10, 100);  // 1200 weights
  double sum = 0;
  double squares = 0;
  for (const double w : features.theta()) {
    sum += w;
    squares += w * w;
  }
  // Five standard deviations: 1/sqrt(1200) of the mean, sqrt(2/1200) of the mean square.
  CHECK(std::abs(sum / 1200) < 5 / std::sqrt(1200.0));
  CHECK(std::abs(squares / 1200 - 1) < 5 * std::sqrt(2 / 1200.0));
  CHECK(features_of(1, 20, 1).theta()[0] == features_of(1, 20, 1).theta()[0]);
  CHECK(features_of(1, 20, 1).theta()[0] != features_of(1, 20, 2).theta()[0]);
}

TEST_CASE("a net is the sum of its units, its gradient that of finite differences", "[relu]") {
  for (const std::size_t d : {1, 2, 4}) {
    const auto features = features_of(d, 6);
    const std::size_t q = d + 1;
    for (std::uint32_t arm = 1; arm <= features.arms(); ++arm) {
      const auto z = features.input(arm);
      std::vector<double> theta(features.theta().begin(), features.theta().end());
      double value = 0;
      for (std::size_t k = 0; k < 6; ++k) {
        double hidden = 0;
        for (std::size_t j = 0; j < q; ++j) hidden += theta[k * q + j] * z[j];
        if (hidden > 0) value += theta[6 * q + k] * hidden;
      }
      CHECK(relu_value(theta, z) == Approx(value).margin(1e-14));
      for (std::size_t j = 0; j < theta.size(); ++j) {
        constexpr double kStep = 1e-6;
        const double before = theta[j];
        theta[j] = before + kStep;
        const double up = relu_value(theta, z);
        theta[j] = before - kStep;
        const double down = relu_value(theta, z);
        theta[j] = before;
        CHECK(features.gradient(arm)[j] == Approx((up - down) / (2 * kStep)).margin(1e-7));
      }
    }
  }
}

TEST_CASE("values and quadratic forms of all arms at once equal those of single arms", "[relu]") {
  std::mt19937 random(3);
  for (const std::size_t d : {1, 2, 5}) {
    const auto features = features_of(d, 8);
    const std::size_t p = features.size();
    auto dense = test::identity(p, 0.3);
    for (int i = 0; i < 20; ++i) {
      std::vector<double> x(p);
      for (auto& number : x) number = static_cast<double>(random() % 1000) / 500 - 1;
      test::add_outer(dense, x);
    }
    std::vector<double> matrix;
    for (const auto& row : dense) matrix.insert(matrix.end(), row.begin(), row.end());
    std::vector<double> forms(features.arms()), values(features.arms()), work;
    features.quadratic_forms(matrix, forms, work);
    features.values(features.theta(), values);
    double largest = 0;
    for (std::uint32_t arm = 1; arm <= features.arms(); ++arm) {
      const auto g = features.gradient(arm);
      CHECK(forms[arm - 1] == Approx(test::quadratic_form(dense, g)).epsilon(1e-12));
      CHECK(values[arm - 1] == relu_value(features.theta(), features.input(arm)));
      largest = std::max(largest, test::dot(g, g));
    }
    CHECK(features.largest_square() == Approx(largest));
  }
}

/// Full-batch gradient steps, one reward after the other, with the gradient of finite differences
/// replaced by the net's own.
std::vector<double> trained(const ReluFeatures& features,
                            std::vector<double> theta,
                            const std::vector<std::pair<std::uint32_t, double>>& rewards,
                            const ReluTraining& training) {
  std::vector<double> gradient(theta.size());
  for (std::uint32_t step = 0; step < training.steps; ++step) {
    std::vector<double> slope(theta.size());
    for (const auto& [arm, reward] : rewards) {
      relu_gradient(theta, features.input(arm), gradient);
      const double error = relu_value(theta, features.input(arm)) - reward;
      for (std::size_t j = 0; j < slope.size(); ++j)
        slope[j] += 2 * error * gradient[j] / static_cast<double>(rewards.size());
    }
    for (std::size_t j = 0; j < slope.size(); ++j)
      theta[j] -= training.rate * (slope[j] + training.decay * theta[j]);
  }
  return theta;
}

TEST_CASE("training on sums of rewards is training on the rewards", "[relu]") {
  std::mt19937 random(5);
  const auto features = features_of(2, 20);
  std::vector<std::pair<std::uint32_t, double>> rewards;
  std::vector<ArmRewards> sums(features.arms());
  for (int i = 0; i < 100; ++i) {
    const auto arm = 1 + static_cast<std::uint32_t>(random() % 15);
    const double reward = static_cast<double>(random() % 1000) / 1000;
    rewards.push_back({arm, reward});
    sums[arm - 1].count += 1;
    sums[arm - 1].sum += reward;
  }
  std::vector<double> theta(features.theta().begin(), features.theta().end());
  const auto error = [&](const std::vector<double>& weights) {
    double sum = 0;
    for (const auto& [arm, reward] : rewards)
      sum += std::pow(relu_value(weights, features.input(arm)) - reward, 2);
    return sum;
  };
  const double before = error(theta);
  const ReluTraining training{.steps = 30, .rate = 0.01, .decay = 0.001};
  const auto expected = trained(features, theta, rewards, training);
  features.train(theta, sums, training);
  for (std::size_t j = 0; j < theta.size(); ++j)
    CHECK(theta[j] == Approx(expected[j]).epsilon(1e-9).margin(1e-11));
  CHECK(error(theta) < before / 2);
}

TEST_CASE("training without rewards changes no weight, and diverging training leaves them bounded",
          "[relu]") {
  const auto features = features_of(1, 20);
  std::vector<double> theta(features.theta().begin(), features.theta().end());
  const auto start = theta;
  std::vector<ArmRewards> rewards(features.arms());
  features.train(theta, rewards, {});
  CHECK(theta == start);
  for (auto& arm : rewards) arm = {1, 1};
  features.train(theta, rewards, {.steps = 1000, .rate = 1e5});
  for (const double weight : theta) CHECK(std::abs(weight) <= 1e6);
}

}  // namespace
}  // namespace posse::test_relu_features
