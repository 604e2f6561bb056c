// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "core/base/duration_histogram.hpp"

namespace test_duration_histogram {

using namespace posse;

namespace {

/// 100 us, 200 us, 500 us, 1 ms, … 1000 s, in nanoseconds.
const std::vector<std::int64_t> kBounds = {
    100'000,         200'000,          500'000,        1'000'000,       2'000'000,
    5'000'000,       10'000'000,       20'000'000,     50'000'000,      100'000'000,
    200'000'000,     500'000'000,      1'000'000'000,  2'000'000'000,   5'000'000'000,
    10'000'000'000,  20'000'000'000,   50'000'000'000, 100'000'000'000, 200'000'000'000,
    500'000'000'000, 1'000'000'000'000};

/// The first bucket whose bound isn't below the duration; one beyond the bounds if there is none.
std::size_t bucket_of(std::int64_t ns) {
  for (std::size_t i = 0; i < kBounds.size(); ++i)
    if (ns <= kBounds[i]) return i;
  return kBounds.size();
}

void require_bucket(std::int64_t ns) {
  DurationHistogram histogram;
  histogram.add(Duration{ns});
  INFO(ns << " ns");
  for (std::size_t i = 0; i < histogram.counts().size(); ++i)
    REQUIRE(histogram.counts()[i] == (i == bucket_of(ns) ? 1 : 0));
}

}  // namespace

TEST_CASE("the buckets of durations end at 1, 2, 5, 10, … from 100 us to 1000 s") {
  REQUIRE(DurationHistogram::kBounds.size() == kBounds.size());
  for (std::size_t i = 0; i < kBounds.size(); ++i)
    CHECK(DurationHistogram::kBounds[i] == kBounds[i]);
  CHECK(DurationHistogram{}.counts().size() == kBounds.size() + 1);
}

TEST_CASE("a duration is counted in the first bucket whose bound it doesn't exceed") {
  for (const auto bound : kBounds)
    for (std::int64_t next_to = -2; next_to <= 2; ++next_to) require_bucket(bound + next_to);
  for (int bit = 0; bit < 63; ++bit)
    for (std::int64_t next_to = -1; next_to <= 1; ++next_to)
      require_bucket((std::int64_t{1} << bit) + next_to);
  for (const std::int64_t ns : {std::int64_t{0}, std::numeric_limits<std::int64_t>::max()})
    require_bucket(ns);
  std::mt19937_64 random(1);
  for (int i = 0; i < 20'000; ++i)  // of every magnitude
    require_bucket(static_cast<std::int64_t>(random() >> (1 + random() % 63)));
}

TEST_CASE("negative durations count as 0") {
  for (const std::int64_t ns : {std::int64_t{-1}, std::numeric_limits<std::int64_t>::min()}) {
    DurationHistogram histogram;
    histogram.add(Duration{ns});
    CHECK(histogram.counts()[0] == 1);
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
}

TEST_CASE("the sum of durations is exact beyond what one duration can be") {
  DurationHistogram histogram;
  histogram.add(Duration::max());
  histogram.add(Duration::max());
  CHECK(histogram.sum_ns() == std::numeric_limits<std::uint64_t>::max() - 1);
  CHECK(histogram.counts().back() == 2);
}

}  // namespace test_duration_histogram
