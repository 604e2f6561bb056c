// SPDX-License-Identifier: Apache-2.0
// A histogram of durations with bucket bounds 1, 2, 5, 10, … from 100 us to 1000 s. It holds only
// integers, so that the sum of histograms does not depend on the order of addition.
//
// Cost: O(1) per duration; 23 counters and a sum per histogram.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "core/base/time.hpp"

namespace posse {

class DurationHistogram {
 public:
  /// Inclusive upper bounds of the buckets in nanoseconds; one more bucket holds longer durations.
  static constexpr std::array<std::int64_t, 22> kBounds = [] {
    std::array<std::int64_t, 22> bounds{};
    std::int64_t decade = 100'000;
    for (std::size_t i = 0; i < bounds.size(); ++i) {
      constexpr std::array<std::int64_t, 3> steps{1, 2, 5};
      bounds[i] = steps[i % 3] * decade;
      if (i % 3 == 2) decade *= 10;
    }
    return bounds;
  }();

  DurationHistogram() = default;
  /// With these counts() and this sum_ns().
  DurationHistogram(const std::array<std::uint64_t, kBounds.size() + 1>& counts,
                    std::uint64_t sum_ns)
      : counts_(counts), sum_ns_(sum_ns) {}

  void add(Duration duration) {
    const std::uint64_t ns = nanoseconds(duration);
    ++counts_[bucket_of(ns)];
    sum_ns_ += ns;
  }
  /// What was added.
  void take_back(Duration duration) {
    const std::uint64_t ns = nanoseconds(duration);
    --counts_[bucket_of(ns)];
    sum_ns_ -= ns;
  }
  void add(const DurationHistogram& other) {
    for (std::size_t i = 0; i < counts_.size(); ++i) counts_[i] += other.counts_[i];
    sum_ns_ += other.sum_ns_;
  }

  /// Counts per bucket, not cumulative; the last bucket holds durations above all bounds.
  const std::array<std::uint64_t, kBounds.size() + 1>& counts() const { return counts_; }
  std::uint64_t count() const {
    std::uint64_t sum = 0;
    for (const auto n : counts_) sum += n;
    return sum;
  }
  /// Sum of all durations in nanoseconds: up to 584 years.
  std::uint64_t sum_ns() const { return sum_ns_; }
  bool operator==(const DurationHistogram&) const = default;

 private:
  static std::uint64_t nanoseconds(Duration duration) {
    return static_cast<std::uint64_t>(duration.ns > 0 ? duration.ns : 0);
  }
  static std::size_t bucket_of(std::uint64_t ns) {
    // Consecutive bounds differ by a factor of at least two: an octave contains at most one bound.
    const Octave& at = kOctaves[static_cast<std::size_t>(std::bit_width(ns))];
    return at.bucket + (at.bound < ns);  // no branch, which would be hard to predict
  }
  /// The bucket of the smallest duration of a bit width, and the bucket's bound.
  struct Octave {
    std::size_t bucket;
    std::uint64_t bound;
  };
  static constexpr std::array<Octave, 65> kOctaves = [] {
    std::array<Octave, 65> octaves{};
    for (std::size_t width = 0; width <= 64; ++width) {
      const std::uint64_t smallest = width == 0 ? 0 : std::uint64_t{1} << (width - 1);
      Octave& octave = octaves[width];
      const auto bound = [&] { return static_cast<std::uint64_t>(kBounds[octave.bucket]); };
      while (octave.bucket < kBounds.size() && bound() < smallest) ++octave.bucket;
      octave.bound = octave.bucket < kBounds.size() ? bound() : ~std::uint64_t{0};
    }
    return octaves;
  }();

  std::array<std::uint64_t, kBounds.size() + 1> counts_{};
  std::uint64_t sum_ns_ = 0;
};

}  // namespace posse
