// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <cstdint>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include "core/base/duration_histogram.hpp"

namespace test_duration_histogram {

using namespace posse;

namespace {

__extension__ using Wide = __int128;

/// The bound of a bucket in thousandths of a nanosecond, from the description.
Wide bound(std::size_t bucket) {
  static const std::vector<int> kSteps = {
      1000, 1100, 1200, 1300, 1400, 1500, 1625, 1750, 1875, 2000, 2200, 2400, 2600, 2800,
      3000, 3300, 3600, 3900, 4200, 4600, 5000, 5500, 6000, 6600, 7200, 7900, 8600, 9300};
  if (bucket < 2) return bucket == 0 ? 0 : 930;
  Wide power = 1;
  for (std::size_t i = (bucket - 2) / kSteps.size(); i > 0; --i) power *= 10;
  return power * kSteps[(bucket - 2) % kSteps.size()];
}

void require_bucket(std::int64_t ns) {
  DurationHistogram histogram;
  histogram.add(Duration{ns});
  INFO(ns << " ns");
  std::size_t found = 0;
  for (std::size_t i = histogram.first(); i < histogram.end(); ++i)
    if (histogram.count(i) > 0) found = i;
  REQUIRE(histogram.count(found) == 1);
  REQUIRE(histogram.count() == 1);
  REQUIRE(Wide{ns} * 1000 <= bound(found));
  if (found > 0) REQUIRE(Wide{ns} * 1000 > bound(found - 1));
}

}  // namespace

TEST_CASE("bounds of buckets are at most 10 % apart, and decimal numbers") {
  for (std::size_t i = 2; i < duration_buckets::kBuckets; ++i) {
    CHECK(bound(i) * 10 <= bound(i - 1) * 11);
    CHECK(duration_buckets::bound_s(i) ==
          Approx(static_cast<double>(bound(i)) / 1e12).epsilon(1e-15));
  }
  using duration_buckets::power_of_ten;
  CHECK(duration_buckets::bound_s(0) == 0);
  CHECK(duration_buckets::bound_s(power_of_ten(0)) == 1e-9);
  CHECK(duration_buckets::bound_s(power_of_ten(3) + 7) == 1.75e-6);
  CHECK(duration_buckets::bound_s(power_of_ten(8)) == 0.1);
  CHECK(duration_buckets::bound_s(power_of_ten(9)) == 1);
  CHECK(duration_buckets::bound_s(power_of_ten(12) + 27) == 9300);
}

TEST_CASE("a duration is counted in the first bucket whose bound it doesn't exceed") {
  for (std::size_t i = 0; i < duration_buckets::kBuckets; ++i)
    for (std::int64_t next_to = -2; next_to <= 2; ++next_to) {
      const Wide ns = bound(i) / 1000 + next_to;
      if (ns >= 0 && ns <= std::numeric_limits<std::int64_t>::max())
        require_bucket(static_cast<std::int64_t>(ns));
    }
  for (std::int64_t ns = 0; ns < 5000; ++ns) require_bucket(ns);
  for (int bit = 0; bit < 63; ++bit)
    for (std::int64_t next_to = -1; next_to <= 1; ++next_to)
      require_bucket((std::int64_t{1} << bit) + next_to);
  require_bucket(std::numeric_limits<std::int64_t>::max());
  std::mt19937_64 random(1);
  for (int i = 0; i < 20'000; ++i)  // of every magnitude
    require_bucket(static_cast<std::int64_t>(random() >> (1 + random() % 63)));
}

TEST_CASE("negative durations count as 0") {
  for (const std::int64_t ns : {std::int64_t{-1}, std::numeric_limits<std::int64_t>::min()}) {
    DurationHistogram histogram;
    histogram.add(Duration{ns});
    CHECK(histogram.count(0) == 1);
    CHECK(histogram.sum_ns() == 0);
  }
}

TEST_CASE("adding histograms gives the histogram of all durations") {
  std::mt19937_64 random(2);
  DurationHistogram all, sum;
  std::uint64_t total = 0;
  std::vector<DurationHistogram> parts(7);
  for (int i = 0; i < 5000; ++i) {
    const auto ns = static_cast<std::int64_t>(random() >> (12 + random() % 50));
    all.add(Duration{ns});
    parts[random() % parts.size()].add(Duration{ns});
    total += static_cast<std::uint64_t>(ns);
  }
  for (const auto& part : parts) sum.add(part);
  CHECK(sum == all);
  CHECK(all.count() == 5000);
  CHECK(all.sum_ns() == total);
  CHECK_FALSE(parts[0] == all);
  for (std::size_t i = 0; i < duration_buckets::kBuckets; ++i) CHECK(sum.count(i) == all.count(i));
}

TEST_CASE("what was taken back was never there, wherever the counts are stored") {
  DurationHistogram histogram, other;
  const Duration small{1}, large = Duration::seconds(1e6);
  histogram.add(Duration::seconds(1));
  other = histogram;
  CHECK(histogram == other);
  for (const Duration duration : {large, small}) {
    histogram.add(duration);
    CHECK_FALSE(histogram == other);
    CHECK_FALSE(other == histogram);
  }
  histogram.take_back(small);
  histogram.take_back(large);
  CHECK(histogram == other);
  CHECK(other == histogram);
  CHECK(histogram.count() == 1);
}

TEST_CASE("a histogram stores the counts between its smallest and its largest duration") {
  DurationHistogram histogram;
  CHECK(histogram.counts().empty());
  histogram.add(Duration::seconds(0.05));
  CHECK(histogram.counts().size() == 32);
  const DurationHistogram copy(histogram.first(), histogram.counts(), histogram.sum_ns());
  CHECK(copy == histogram);
  histogram.add(Duration{});
  histogram.add(Duration::max());
  CHECK(histogram.counts().size() == duration_buckets::kBuckets);
  CHECK(histogram.count() == 3);
}

TEST_CASE("the sum of durations is exact beyond what one duration can be") {
  DurationHistogram histogram;
  histogram.add(Duration::max());
  histogram.add(Duration::max());
  CHECK(histogram.sum_ns() == std::numeric_limits<std::uint64_t>::max() - 1);
  CHECK(histogram.count(duration_buckets::kBuckets - 1) == 2);
}

}  // namespace test_duration_histogram
