// SPDX-License-Identifier: Apache-2.0
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

#include "core/base/time.hpp"

namespace posse::test_time {

TEST_CASE("seconds become the nearest nanosecond, halves away from zero") {
  CHECK(Duration::seconds(1.5).ns == 1'500'000'000);
  CHECK(Duration::seconds(0.5e-9).ns == 1);
  CHECK(Duration::seconds(-0.5e-9).ns == -1);
  CHECK(Duration::seconds(0.49999999999999994e-9).ns == 0);
  CHECK(Duration::seconds(-2.5e-9).ns == -3);
}

TEST_CASE("seconds beyond the range become its ends") {
  CHECK(Duration::seconds(1e10) == Duration::max());
  CHECK(Duration::seconds(std::numeric_limits<double>::infinity()) == Duration::max());
  CHECK(Duration::seconds(std::nan("")) == Duration::max());
  CHECK(Duration::seconds(-1e10).ns == std::numeric_limits<std::int64_t>::min());
}

TEST_CASE("seconds are rounded as the C library rounds") {
  std::mt19937_64 draws(1);
  std::uniform_int_distribution<std::uint64_t> bits(0, 0x43ffffffffffffff);
  for (int i = 0; i < 100'000; ++i) {
    const double ns = std::bit_cast<double>(bits(draws)) * (i % 2 == 0 ? 1 : -1);
    const double s = ns / 1e9;
    if (!(std::abs(s * 1e9) < 9.2e18)) continue;
    const auto expected = static_cast<std::int64_t>(std::round(s * 1e9));
    if (Duration::seconds(s).ns != expected) FAIL(s);
  }
}

}  // namespace posse::test_time
