// SPDX-License-Identifier: Apache-2.0
// When means settle, and the bootstrap of it, by hand.
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "program/plot/settling.hpp"

namespace posse::test_settling {

TEST_CASE("a mean settles at the first point after which it never exceeds the level") {
  const Settling one({{{0, 9}, {1, 2}, {2, 5}, {3, 3}, {7, 2}}});
  CHECK(one.time(9) == 0.0);
  CHECK(one.time(5) == 1.0);
  CHECK(one.time(4) == 3.0);
  CHECK(one.time(3) == 3.0);
  CHECK(one.time(2) == 7.0);
  CHECK_FALSE(one.time(1.9));
  CHECK(one.least_level() == 2);
  CHECK(one.resampled(3).empty());  // a single repetition has no spread
  // Curves hold their values, also after their end: means 8, 6, 3 at 0, 2, 5.
  const Settling two({{{0, 8}, {2, 4}}, {{0, 8}, {5, 2}}});
  CHECK(two.time(6) == 2.0);
  CHECK(two.time(5.9) == 5.0);
  // Its resamples end at 2, 3, 3 or 4: the least level that 97.5 % of them keep is 4.
  CHECK(two.least_level() == 4);
  CHECK(percentile_interval_95(two.resampled(two.least_level())));
}

TEST_CASE("resamples are those of drawing repetitions with replacement") {
  // Alone, the first settles at 1, the second at 3, and their mean at 3: so of the four equally
  // likely resamples one settles at 1, three at 3.
  const Settling settling({{{0, 1}, {1, 0}}, {{0, 1}, {3, 0}}});
  const auto times = settling.resampled(0.1);
  REQUIRE(times.size() == kResamples);
  std::size_t early = 0;
  for (const double time : times) {
    CHECK((time == 1 || time == 3));
    early += time == 1;
  }
  // Binomial with 1000 draws and probability 1/4: within four standard deviations.
  CHECK(std::abs(static_cast<double>(early) - 250) < 4 * std::sqrt(1000 * 0.25 * 0.75));
  CHECK(settling.resampled(0.1) == times);
  const auto interval = percentile_interval_95(times);
  REQUIRE(interval);
  CHECK(interval->low == 1);
  CHECK(interval->high == 3);
}

TEST_CASE("percentile intervals are the 2.5 % and 97.5 % quantiles, if they are finite") {
  std::vector<double> values;
  for (int i = 1000; i > 0; --i) values.push_back(i);
  const auto interval = percentile_interval_95(values);
  REQUIRE(interval);
  CHECK(interval->low == 25);
  CHECK(interval->high == 975);
  CHECK_FALSE(percentile_interval_95({}));
  for (int i = 0; i < 30; ++i) values[i] = std::numeric_limits<double>::infinity();
  CHECK_FALSE(percentile_interval_95(values));
  values.assign(1000, 1);
  values[7] = std::numeric_limits<double>::quiet_NaN();
  CHECK_FALSE(percentile_interval_95(values));
}

}  // namespace posse::test_settling
