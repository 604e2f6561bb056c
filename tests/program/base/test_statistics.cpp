// SPDX-License-Identifier: Apache-2.0
// Intervals, ratios, tests and numbers of repetitions, against what they are defined by.
#include <catch2/catch.hpp>
#include <cmath>

#include "core/base/math.hpp"
#include "program/base/statistics.hpp"

namespace posse::test_statistics {

TEST_CASE("the two-sided p-value belongs to the quantile of Student's t") {
  for (const double degrees : {1.0, 2.0, 4.0, 9.0, 30.0, 200.0})
    for (const double p : {0.9, 0.95, 0.975, 0.995, 0.9999})
      CHECK(math::student_t_two_sided(degrees, math::student_t_quantile(degrees, p)) ==
            Approx(2 * (1 - p)).epsilon(1e-9));
  CHECK(math::student_t_two_sided(5, 0) == 1);
  CHECK(math::student_t_two_sided(5, -2) == math::student_t_two_sided(5, 2));
  // One degree of freedom is Cauchy's distribution: P(|T| > 1) = 1/2.
  CHECK(math::student_t_two_sided(1, 1) == Approx(0.5));
}

TEST_CASE("the interval of a mean is that of 95 % at that level, and grows with the level") {
  const auto s = statistics({1, 2, 4, 8});
  CHECK(interval_of_mean(s, 0.95)->low == Approx(interval_95(s)->low));
  CHECK(interval_of_mean(s, 0.99)->high > interval_of_mean(s, 0.9)->high);
  CHECK_FALSE(interval_of_mean(statistics({1}), 0.95));
}

TEST_CASE("at the ends of a ratio's interval, numerator - r denominator is just significant") {
  const std::vector<double> a{2.1, 3.9, 6.2, 7.8, 10.4, 11.7}, b{1, 2, 3, 4, 5, 6};
  const auto ratio = paired_ratio(a, b, 0.95);
  REQUIRE(ratio);
  REQUIRE(ratio->interval);
  CHECK(ratio->value == Approx(42.1 / 21));
  CHECK(ratio->interval->contains(ratio->value));
  for (const double r : {ratio->interval->low, ratio->interval->high}) {
    std::vector<double> differences;
    for (std::size_t i = 0; i < a.size(); ++i) differences.push_back(a[i] - r * b[i]);
    CHECK(p_value_of_mean(statistics(differences)) == Approx(0.05).epsilon(1e-6));
  }
}

TEST_CASE("a ratio has no interval where its denominator can't be told from 0, and none at 0") {
  CHECK_FALSE(paired_ratio({1, 2, 3}, {-1, 0.1, 1}, 0.95)->interval);
  CHECK_FALSE(paired_ratio({1, 2}, {-1, 1}, 0.95));
  CHECK_FALSE(paired_ratio({}, {}, 0.95));
  CHECK_FALSE(paired_ratio({1}, {2}, 0.95)->interval);
  const auto exact = paired_ratio({20, 22, 24}, {10, 11, 12}, 0.95);
  CHECK(exact->interval->low == Approx(2));
  CHECK(exact->interval->high == Approx(2));
}

TEST_CASE("p-values of means: none for one value, 0 for equal ones other than 0") {
  CHECK(p_value_of_mean(statistics({5})) == 1);
  CHECK(p_value_of_mean(statistics({0, 0, 0})) == 1);
  CHECK(p_value_of_mean(statistics({5, 5, 5})) == 0);
  // t = 3 / (1 / sqrt(3)) with 2 degrees of freedom: 1 - t / sqrt(2 + t^2) = 0.03509.
  const double t = 3 * std::sqrt(3.0);
  CHECK(p_value_of_mean(statistics({2, 3, 4})) == Approx(1 - t / std::sqrt(2 + t * t)));
}

TEST_CASE("Holm's procedure goes down from the smallest p-value until one is too large") {
  using Truths = std::vector<bool>;
  CHECK(holm({}, 0.05).empty());
  CHECK(holm({0.04}, 0.05) == Truths{true});
  // 0.01 <= 0.05 / 4, 0.015 <= 0.05 / 3, 0.03 > 0.05 / 2: then nothing more, although 0.04 <= 0.05.
  CHECK(holm({0.04, 0.01, 0.03, 0.015}, 0.05) == Truths{false, true, false, true});
  CHECK(holm({0.02, 0.02, 0.02}, 0.05) == Truths{false, false, false});
  CHECK(holm({0, 0, 0}, 0.05) == Truths{true, true, true});
}

TEST_CASE("the number of repetitions is the least whose interval is narrow enough") {
  for (const double sd : {0.1, 1.0, 30.0})
    for (const double width : {0.07, 0.5, 5.0}) {
      const auto n = repetitions_for(sd, width, 0.95);
      REQUIRE(n);
      const auto half = [&](std::size_t m) {
        return math::student_t_quantile(static_cast<double>(m) - 1, 0.975) * sd /
               std::sqrt(static_cast<double>(m));
      };
      CHECK(half(*n) <= width);
      if (*n > 2) CHECK(half(*n - 1) > width);
    }
  CHECK(repetitions_for(0, 0.1, 0.95) == 2U);
  CHECK_FALSE(repetitions_for(1e6, 0.1, 0.95));
}

}  // namespace posse::test_statistics
