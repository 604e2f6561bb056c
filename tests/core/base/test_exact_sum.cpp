// SPDX-License-Identifier: Apache-2.0
// Exact sums: no order, no rounding until the end.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <vector>

#include "core/base/exact_sum.hpp"

namespace posse::test_exact_sum {

TEST_CASE("numbers from 2^-27 on become multiples without loss, smaller ones to 2^-81") {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> exponent(-100, 30), mantissa(1, 2);
  for (int i = 0; i < 10'000; ++i) {
    double x = mantissa(random) * std::ldexp(1, static_cast<int>(exponent(random)) - 1);
    if (i % 2 == 1) x = -x;
    const double back = from_multiple(to_multiple(x));
    if (std::fabs(x) >= std::ldexp(1, -27))
      CHECK(back == x);
    else
      CHECK(std::fabs(back - x) <= std::ldexp(1, -81));
  }
  CHECK(to_multiple(0) == 0);
  CHECK(to_multiple(-0.0) == 0);
  CHECK(from_multiple(to_multiple(std::ldexp(1, -81))) == 0);  // ties to even
  CHECK(from_multiple(to_multiple(std::ldexp(3, -81))) == std::ldexp(2, -80));
  CHECK(from_multiple(to_multiple(kLargestTerm)) == kLargestTerm);
  CHECK_THROWS(to_multiple(kLargestTerm * 1.01));
  CHECK_THROWS(to_multiple(std::nan("")));
  CHECK_THROWS(to_multiple(-INFINITY));
}

TEST_CASE("an exact sum does not depend on the order and is off by one rounding") {
  std::mt19937_64 random(2);
  std::normal_distribution<double> normal(0.5, 1);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<double> terms(97);
    for (double& x : terms) x = normal(random);
    const auto sum = [&] {
      Int128 total = 0;
      for (const double x : terms) total += to_multiple(x);
      return from_multiple(total);
    };
    const double first = sum();
    long double reference = 0;  // 64 bits of mantissa: off by less than 97 * 2^-57
    for (const double x : terms) reference += x;
    CHECK(std::fabs(static_cast<double>(first - reference)) <=
          std::ldexp(std::fabs(first), -53) + 1e-15);
    std::shuffle(terms.begin(), terms.end(), random);
    CHECK(sum() == first);
  }
}

TEST_CASE("65 536 of the largest terms can be added") {
  Int128 total = 0;
  for (int i = 0; i < 65'536; ++i) total += to_multiple(kLargestTerm);
  CHECK(from_multiple(total) == 65'536 * kLargestTerm);
  total = 0;
  for (int i = 0; i < 65'536; ++i) total += to_multiple(-kLargestTerm);
  CHECK(from_multiple(total) == -65'536 * kLargestTerm);
}

}  // namespace posse::test_exact_sum
