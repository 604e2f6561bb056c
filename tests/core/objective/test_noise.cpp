// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <boost/math/special_functions/beta.hpp>
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "core/objective/noise.hpp"
#include "core/objective/truncated_normal.hpp"

namespace posse::test_noise {
namespace {

struct Model {
  const char* name;
  std::unique_ptr<Noise> noise;
};

std::vector<Model> models() {
  std::vector<Model> all;
  all.push_back({"none", make_no_noise()});
  all.push_back({"uniform 0.1", make_uniform_noise(0.1)});
  all.push_back({"symtrunc 1", make_symtrunc_noise(1)});
  all.push_back({"symtrunc 0.1", make_symtrunc_noise(0.1)});
  all.push_back({"tilttrunc 1", make_tilttrunc_noise(1)});
  all.push_back({"tilttrunc 0.1", make_tilttrunc_noise(0.1)});
  all.push_back({"tilttrunc 0.01", make_tilttrunc_noise(0.01)});
  all.push_back({"bernoulli", make_bernoulli_noise()});
  all.push_back({"beta 10", make_beta_noise(10)});
  return all;
}

TEST_CASE("the standard deviation that a cut leaves is that of the rewards") {
  for (const auto& [name, noise] : models()) {
    if (!noise->stated_sd()) continue;
    for (const double f : {0.02, 0.3, 0.74, 0.98}) {
      constexpr std::size_t kDraws = 20'000;
      UniformStream stream(stream_key(Seed{11}, "test", name));
      std::vector<double> rewards(kDraws);
      noise->rewards(f, stream, 0, rewards);
      double squares = 0;
      for (const double r : rewards) squares += (r - f) * (r - f);
      INFO(name << " f = " << f);
      CHECK(noise->sd_at(f) == Approx(std::sqrt(squares / kDraws)).epsilon(0.03));
      CHECK(noise->sd_at(f) < 1.001 * *noise->stated_sd());
    }
    CHECK(noise->sd_at(1) == 0);
    CHECK(noise->sd_at(-1) == 0);
  }
  CHECK_FALSE(make_uniform_noise(0.1)->stated_sd());
}

TEST_CASE("a million rewards have mean f and keep to the range", "[noise][statistical][long]") {
  // |mean - f| < 5 sd / 1000 fails with probability 6e-7 per check; 36 checks, fixed seed.
  for (const auto& [name, noise] : models()) {
    // ibeta_inv takes a microsecond: a tenth of the draws, the same number of sds.
    const int draws = std::string_view(name) == "beta 10" ? 100'000 : 1'000'000;
    for (const double f : {0.02, 0.3, 0.74, 0.98}) {
      UniformStream stream(stream_key(Seed{11}, "test", name));
      double sum = 0, squares = 0, low = 1e9, high = -1e9;
      if (noise->range_width() == 0) {
        CHECK(noise->sum_of_rewards(f, stream, 0, 1) == f);
        continue;
      }
      // Work that depends on f alone is done once per call: blocks keep tilttrunc quick, single
      // pulls show the range.
      constexpr int kSingles = 2000;
      for (int i = 0; i < kSingles; ++i) {
        const double r = noise->sum_of_rewards(f, stream, i, 1);
        low = std::min(low, r);
        high = std::max(high, r);
        squares += (r - f) * (r - f);
      }
      sum = noise->sum_of_rewards(f, stream, 0, draws);
      const double sd = std::sqrt(squares / kSingles);
      INFO(name << " f = " << f << " sd = " << sd);
      CHECK(std::abs(sum / draws - f) < 5 * sd / std::sqrt(draws));
      if (noise->within_unit_interval()) {
        CHECK(low >= 0);
        CHECK(high <= 1);
      } else {
        CHECK(low >= f - 0.1);
        CHECK(high <= f + 0.1);
      }
      CHECK(high - low <= noise->range_width());
    }
  }
}

TEST_CASE("rewards are added one by one in the order of the pulls", "[noise]") {
  for (const auto& [name, noise] : models()) {
    INFO(name);
    const StreamKey key = stream_key(Seed{3}, "reward", "client-0");
    UniformStream stream(key);
    for (const std::uint64_t first : {0, 1, 7}) {
      double one_by_one = 0;
      for (std::uint64_t i = 0; i < 25; ++i) {
        UniformStream fresh(key);
        one_by_one += noise->sum_of_rewards(0.3, fresh, first + i, 1);
      }
      CHECK(noise->sum_of_rewards(0.3, stream, first, 25) == one_by_one);
    }
    CHECK(noise->sum_of_rewards(0.3, stream, 5, 0) == 0);
  }
}

TEST_CASE("single rewards are those that a sum adds", "[noise]") {
  for (const auto& [name, noise] : models())
    for (const double f : {0.0, 0.02, 0.74, 1.0}) {
      UniformStream stream(stream_key(Seed{12}, "test", name));
      std::vector<double> rewards(37);
      noise->rewards(f, stream, 5, rewards);
      double sum = 0;
      for (const double r : rewards) sum += r;
      INFO(name << " f = " << f);
      CHECK(sum == noise->sum_of_rewards(f, stream, 5, rewards.size()));
      CHECK(rewards[20] == noise->sum_of_rewards(f, stream, 25, 1));
    }
}

TEST_CASE("the largest variance is Bernoulli's and beta's is f(1-f)/(kappa+1)", "[noise]") {
  // 20000 squares, bounded by 1: a relative error of 10 % is more than 8 sds away.
  const auto variance = [](const Noise& noise, double f) {
    UniformStream stream(stream_key(Seed{5}, "test", "variance"));
    double squares = 0;
    for (int i = 0; i < 20000; ++i) {
      const double r = noise.sum_of_rewards(f, stream, i, 1);
      squares += (r - f) * (r - f);
    }
    return squares / 20000;
  };
  CHECK(variance(*make_bernoulli_noise(), 0.3) == Approx(0.21).epsilon(0.1));
  CHECK(variance(*make_beta_noise(10), 0.3) == Approx(0.21 / 11).epsilon(0.1));
  CHECK(variance(*make_uniform_noise(0.3), 0.5) == Approx(0.03).epsilon(0.1));
  CHECK(variance(*make_symtrunc_noise(100), 0.5) == Approx(1.0 / 12).epsilon(0.1));
}

TEST_CASE("bounded noise is constant where the mean is an end of the range", "[noise]") {
  UniformStream stream(stream_key(Seed{1}, "test", "ends"));
  for (const auto& [name, noise] : models()) {
    if (!noise->within_unit_interval() || noise->range_width() == 0) continue;
    INFO(name);
    CHECK(noise->sum_of_rewards(0, stream, 0, 10) == 0);
    CHECK(noise->sum_of_rewards(1, stream, 0, 10) == 10);
    CHECK(noise->sum_of_rewards(1 + 1e-15, stream, 0, 10) == 10);
  }
}

/// Mean of the density exp(-(r - mu)^2 / 2 sd^2) on [0, 1] by Simpson's rule.
double integrated_mean(double mu, double sd) {
  constexpr int kSteps = 20000;
  double mass = 0, moment = 0;
  const double mode = std::clamp(mu, 0.0, 1.0);
  for (int i = 0; i <= kSteps; ++i) {
    const double r = i / static_cast<double>(kSteps);
    const double weight = i == 0 || i == kSteps ? 1 : (i % 2 ? 4 : 2);
    const double density =
        std::exp(-((r - mu) * (r - mu) - (mode - mu) * (mode - mu)) / (2 * sd * sd));
    mass += weight * density;
    moment += weight * density * r;
  }
  return moment / mass;
}

TEST_CASE("tilttrunc solves mu for the mean, checked by quadrature", "[noise]") {
  for (const double sd : {0.05, 0.3, 1.0, 5.0}) {
    for (const double mean : {0.01, 0.02, 0.1, 0.3, 0.45, 0.5}) {
      INFO("sd " << sd << " mean " << mean);
      const auto law = TruncatedNormal::with_mean(mean, sd);
      CHECK(integrated_mean(law.mu(), sd) == Approx(mean).epsilon(1e-6));
      double before = 0;
      for (int i = 1; i < 200; ++i) {
        const double r = law.quantile(i / 200.0);
        CHECK(r >= before);
        before = r;
      }
      CHECK(law.quantile(1e-12) < 1e-3 + law.quantile(0.5));
      // The mean as the integral of the quantile function (midpoint rule).
      double sum = 0;
      for (int i = 0; i < 4000; ++i) sum += law.quantile((i + 0.5) / 4000);
      CHECK(sum / 4000 == Approx(mean).epsilon(2e-3));
    }
  }
  // Far in the tail the law is exponential.
  const auto law = TruncatedNormal::with_mean(1e-6, 1);
  CHECK(law.quantile(0.5) == Approx(std::log(2.0) * 1e-6).epsilon(1e-6));
}

TEST_CASE("the scaled tail is exp(x^2) erfc(x)", "[noise]") {
  for (const double x : {-3.0, -0.5, 0.0, 0.7, 3.0, 7.9, 8.1, 20.0})
    CHECK(erfcx(x) == Approx(std::exp(x * x) * std::erfc(x)).epsilon(1e-12));
  CHECK(erfcx(1e6) == Approx(1e-6 / std::sqrt(M_PI)).epsilon(1e-11));
}

TEST_CASE("beta inverts the incomplete beta function", "[noise]") {
  UniformStream stream(stream_key(Seed{2}, "test", "beta"));
  const auto noise = make_beta_noise(10);
  for (std::uint64_t i = 0; i < 20; ++i) {
    const double r = noise->sum_of_rewards(0.3, stream, i, 1);
    CHECK(boost::math::ibeta(3.0, 7.0, r) == Approx(stream.at(i)).epsilon(1e-9));
  }
}

}  // namespace
}  // namespace posse::test_noise
