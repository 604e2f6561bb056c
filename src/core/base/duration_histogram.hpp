// SPDX-License-Identifier: Apache-2.0
// A histogram of durations from 0 to 292 years, in buckets so narrow that any quantile is known
// within 10 %.
//
// Bucket bounds are 0, 0.93 ns, and from 1 ns on the same 28 numbers in each decade: 1, 1.1, 1.2, …
// 8.6, 9.3. Consecutive ones differ by at most 10 %, so that an interpolation between the bounds of
// a bucket, as Prometheus makes it, is never further than that from a duration in it. Every run has
// the same bounds: histograms of different runs can be added. They hold only integers, so that a
// sum of histograms does not depend on the order of addition.
//
// Cost: a few nanoseconds per duration. Only the buckets from the first used block of 32 to the
// last one are stored: latencies that differ by less than a decade need 0.5 KB. New memory is taken
// when a duration lies outside them, at most 17 times.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/base/time.hpp"

namespace posse {

/// The buckets of DurationHistogram, numbered from 0.
namespace duration_buckets {

/// The bounds in a decade, in thousandths of its first one.
inline constexpr std::array<std::uint64_t, 28> kSteps{
    1000, 1100, 1200, 1300, 1400, 1500, 1625, 1750, 1875, 2000, 2200, 2400, 2600, 2800,
    3000, 3300, 3600, 3900, 4200, 4600, 5000, 5500, 6000, 6600, 7200, 7900, 8600, 9300};
inline constexpr std::size_t kDecades = 19;  // from 1 ns
inline constexpr std::size_t kBuckets = 2 + kDecades * kSteps.size();

/// The bucket whose bound is 10^decade ns.
constexpr std::size_t power_of_ten(std::size_t decade) { return 2 + decade * kSteps.size(); }

/// The inclusive upper bound of a bucket in seconds: the double next to the decimal number.
constexpr double bound_s(std::size_t bucket) {
  if (bucket < 2) return bucket == 0 ? 0 : 0.93e-9;
  const auto step = static_cast<double>(kSteps[(bucket - 2) % kSteps.size()]);
  const std::size_t decade = (bucket - 2) / kSteps.size();
  constexpr std::size_t kOne = 12;  // a step is a thousandth of a nanosecond
  double power = 1;                 // exact, as is `step`: one rounding
  for (std::size_t i = std::min(decade, kOne); i < std::max(decade, kOne); ++i) power *= 10;
  return decade < kOne ? step / power : step * power;
}

/// The largest whole number of nanoseconds that a bucket's bound is not below.
constexpr std::uint64_t largest_ns(std::size_t bucket) {
  if (bucket < 2) return 0;
  std::uint64_t power = 1;
  for (std::size_t decade = (bucket - 2) / kSteps.size(); decade > 0; --decade) power *= 10;
  const std::uint64_t step = kSteps[(bucket - 2) % kSteps.size()];
  return power < 1000 ? step * power / 1000 : power / 1000 * step;
}

/// Sixteenths of octaves; below 32 ns single nanoseconds.
constexpr std::size_t slot_of(std::uint64_t ns) {
  const auto width = static_cast<unsigned>(std::bit_width(ns | 16));
  return (width - 5) * 16 + static_cast<std::size_t>(ns >> (width - 5));
}
/// The bucket of a slot's smallest duration, and the bucket's bound. Consecutive bounds differ by
/// more than a sixteenth: a slot contains at most one that is not its end.
struct Slot {
  std::uint64_t bound;
  std::size_t bucket;
};
inline constexpr std::array<Slot, 960> kSlots = [] {
  std::array<Slot, 960> slots{};
  std::size_t bucket = 0;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const std::size_t shift = i < 32 ? 0 : i / 16 - 1;
    const std::uint64_t smallest = std::uint64_t{i - shift * 16} << shift;
    while (largest_ns(bucket) < smallest) ++bucket;
    slots[i] = {largest_ns(bucket), bucket};
  }
  return slots;
}();

/// The bucket of a duration of at most 2^63 - 1 nanoseconds.
constexpr std::size_t bucket_of(std::uint64_t ns) {
  const Slot& slot = kSlots[slot_of(ns)];
  return slot.bucket + (slot.bound < ns);  // no branch, which would be hard to predict
}

}  // namespace duration_buckets

class DurationHistogram {
 public:
  DurationHistogram() = default;
  /// With counts from bucket `first` on, at most up to the last one, and this sum_ns().
  DurationHistogram(std::size_t first, std::vector<std::uint64_t> counts, std::uint64_t sum_ns)
      : first_(first), counts_(std::move(counts)), sum_ns_(sum_ns) {}

  void add(Duration duration) {
    const std::uint64_t ns = nanoseconds(duration);
    ++stored(duration_buckets::bucket_of(ns));
    sum_ns_ += ns;
  }
  /// What was added.
  void take_back(Duration duration) {
    const std::uint64_t ns = nanoseconds(duration);
    --stored(duration_buckets::bucket_of(ns));
    sum_ns_ -= ns;
  }
  void add(const DurationHistogram& other) {
    for (std::size_t i = other.first_; i < other.end(); ++i)
      if (other.count(i) > 0) stored(i) += other.count(i);
    sum_ns_ += other.sum_ns_;
  }

  /// Buckets before `first` and from `end` on are empty.
  std::size_t first() const { return first_; }
  std::size_t end() const { return first_ + counts_.size(); }
  /// Counts per bucket from `first` to `end`, not cumulative.
  const std::vector<std::uint64_t>& counts() const { return counts_; }
  std::uint64_t count(std::size_t bucket) const {
    return bucket >= first_ && bucket < end() ? counts_[bucket - first_] : 0;
  }
  std::uint64_t count() const {
    std::uint64_t sum = 0;
    for (const auto n : counts_) sum += n;
    return sum;
  }
  /// Sum of all durations in nanoseconds: up to 584 years.
  std::uint64_t sum_ns() const { return sum_ns_; }
  bool operator==(const DurationHistogram& other) const {
    if (sum_ns_ != other.sum_ns_) return false;
    const std::size_t last = std::max(end(), other.end());
    for (std::size_t i = std::min(first_, other.first_); i < last; ++i)
      if (count(i) != other.count(i)) return false;
    return true;
  }

 private:
  static constexpr std::size_t kBlock = 32;  // buckets

  static std::uint64_t nanoseconds(Duration duration) {
    return static_cast<std::uint64_t>(duration.ns > 0 ? duration.ns : 0);
  }
  std::uint64_t& stored(std::size_t bucket) {
    if (bucket - first_ >= counts_.size()) [[unlikely]]  // below first_, too: it wraps around
      store(bucket);
    return counts_[bucket - first_];
  }
  void store(std::size_t bucket) {
    const std::size_t block = bucket / kBlock * kBlock;
    const std::size_t last = std::max(counts_.empty() ? 0 : end(), block + kBlock);
    const std::size_t first = counts_.empty() ? block : std::min(first_, block);
    std::vector<std::uint64_t> wider(std::min(last, duration_buckets::kBuckets) - first);
    std::copy(counts_.begin(),
              counts_.end(),
              wider.begin() + static_cast<std::ptrdiff_t>(counts_.empty() ? 0 : first_ - first));
    counts_ = std::move(wider);
    first_ = first;
  }

  std::size_t first_ = 0;
  std::vector<std::uint64_t> counts_;
  std::uint64_t sum_ns_ = 0;
};

}  // namespace posse
