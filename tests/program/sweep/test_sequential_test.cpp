// SPDX-License-Identifier: Apache-2.0
// Intervals that hold at every number of values: their formula, and how often they hold.
#include <catch2/catch.hpp>
#include <cmath>

#include "core/base/math.hpp"
#include "core/random/distributions.hpp"
#include "core/random/stream.hpp"
#include "program/sweep/sequential_test.hpp"

namespace posse::test_sequential_test {
namespace {

double t_of(const Statistics& s) { return s.mean / (s.sd / std::sqrt(static_cast<double>(s.n))); }

/// The integral of the likelihood of `values` over log sd, and over effects of N(0, g) if
/// `effects`: the Bayes factor's definition, without t.
double marginal_likelihood(const std::vector<double>& values, bool effects) {
  constexpr int kSteps = 400;
  const double pi = 3.14159265358979323846, spread = std::sqrt(kEffectVariance);
  double sum = 0;
  for (int i = 0; i <= kSteps; ++i) {
    const double sd = math::exp(-6 + 14.0 * i / kSteps);
    for (int j = 0; j <= (effects ? kSteps : 0); ++j) {
      const double z = effects ? -8 + 16.0 * j / kSteps : 0;
      double log_density = effects ? -z * z / 2 - math::log(2 * pi) / 2 : 0;
      for (const double x : values) {
        const double deviation = x / sd - spread * z;
        log_density += -deviation * deviation / 2 - math::log(sd) - math::log(2 * pi) / 2;
      }
      sum += math::exp(log_density) * (14.0 / kSteps) * (effects ? 16.0 / kSteps : 1);
    }
  }
  return sum;
}

}  // namespace

TEST_CASE("the Bayes factor is the ratio of likelihoods, integrated numerically") {
  for (const auto& values : {std::vector<double>{1.1, -0.4},
                             std::vector<double>{1, 2, 1.5, 0.7},
                             std::vector<double>{-3, 1, 0.2, -0.5, 2.2, 0.1},
                             std::vector<double>{10, 11, 9.5, 12, 10.2}}) {
    const double ratio = marginal_likelihood(values, true) / marginal_likelihood(values, false);
    CHECK(math::exp(log_bayes_factor(values.size(), t_of(statistics(values)))) ==
          Approx(ratio).epsilon(1e-3));
  }
}

TEST_CASE("the ends of an anytime-valid interval are the means whose Bayes factor is 1 / error") {
  for (const double error : {0.2, 0.05, 0.004})
    for (const std::size_t n : {7U, 20U, 400U}) {
      const auto half = anytime_half_width(n, 1.7, error);
      REQUIRE(half);
      const double t = *half / (1.7 / std::sqrt(static_cast<double>(n)));
      CHECK(log_bayes_factor(n, t) == Approx(-math::log(error)));
      CHECK(*half > interval_of_mean({n, 0, 1.7, 0, 0}, 1 - error)->high);
    }
  const auto interval = anytime_interval(statistics({4, 5, 6, 5, 4.5, 5.5}), 0.05);
  REQUIRE(interval);
  CHECK(interval->low + interval->high == Approx(10));
}

TEST_CASE("few values exclude no mean, and equal ones all others") {
  CHECK_FALSE(anytime_half_width(1, 1, 0.05));
  CHECK_FALSE(anytime_half_width(2, 1, 0.05));
  CHECK_FALSE(anytime_half_width(5, 1, 1e-4));
  CHECK(anytime_half_width(6, 1, 1e-4));
  CHECK(*anytime_half_width(5, 0, 0.05) == 0);
}

TEST_CASE("the number of values for a distance is the least whose half width is smaller") {
  for (const double distance : {0.1, 0.5, 3.0}) {
    const auto n = anytime_values_for(1, distance, 0.01);
    REQUIRE(n);
    CHECK(*anytime_half_width(*n, 1, 0.01) < distance);
    const auto before = anytime_half_width(*n - 1, 1, 0.01);
    CHECK((!before || *before >= distance));
  }
  CHECK_FALSE(anytime_values_for(1, 1e-6, 0.01));
}

TEST_CASE("anytime-valid intervals hold at all numbers of values together, others do not",
          "[statistical]") {
  constexpr int kSequences = 2000;
  constexpr double kError = 0.05;
  int missed = 0, missed_by_t = 0;
  DrawEngine draws(stream_key(Seed{1}, "test", "intervals"), 0);
  for (int i = 0; i < kSequences; ++i) {
    bool held = true, held_by_t = true;
    double sum = 0, squares = 0;
    for (std::size_t n = 1; n <= 200; ++n) {
      const double x = draw_normal(draws);
      sum += x;
      squares += x * x;
      if (n < 2) continue;
      const auto values = static_cast<double>(n);
      Statistics s{n, sum / values, 0, 0, 0};
      s.sd = std::sqrt((squares - sum * s.mean) / (values - 1));
      const auto interval = anytime_interval(s, kError);
      held = held && (!interval || interval->contains(0));
      held_by_t = held_by_t && interval_of_mean(s, 1 - kError)->contains(0);
    }
    missed += !held;
    missed_by_t += !held_by_t;
  }
  INFO(missed << " and " << missed_by_t << " of " << kSequences);
  CHECK(missed <= kSequences * kError);  // 5 % is the limit for ever, not only for 200 values
  CHECK(missed >= kSequences * kError / 5);
  CHECK(missed_by_t >= kSequences * kError * 4);
}

}  // namespace posse::test_sequential_test
