// SPDX-License-Identifier: Apache-2.0
// Which of a DurationHistogram's 534 bucket bounds are exposed.
//
// A quantile is within 10 % where the bounds of each bucket that holds something are exposed: its
// upper one and that of the bucket below it. Counts are cumulative, so bounds may be left out
// anywhere else. All series of a metric expose the same bounds, so that they can be added (`sum by
// (le)`).
//
// metrics.om is written at the end, when it is known what is needed: that alone is in it. A scrape
// comes before the end, and a series that first appears with a count above 0 lacks this first
// increase in Prometheus' rate(). So these bounds are there from the first scrape on:
//   powers of ten from 1 ns to 10^9 s
//   those from the smallest to the largest likely latency of each of the scenario's rules
// A duration that nobody could expect (a queue, a clogged link, a round) adds all bounds of its
// decade, so that this happens at most once for each decade. Bounds never disappear. Quantiles of
// the counts are within 10 % at once; quantiles of a rate() over the scrape at which a decade came
// are only known to lie in this decade.
//
// The alternatives: all bounds would be 534 series for each histogram. Native histograms need no
// bounds, but exist only in Prometheus' protobuf format, and behind a flag in Debian's Prometheus.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/duration_histogram.hpp"
#include "core/random/duration_distribution.hpp"
#include "program/metrics/samples.hpp"
#include "program/scenario/scenario.hpp"

namespace posse {

class ShownBuckets {
 public:
  /// For a scrape: powers of ten, and the likely latencies if they are given.
  static ShownBuckets of_scrape(const std::vector<DurationRange>& likely);

  /// The bounds that the quantiles of this histogram need.
  void add_needed(const DurationHistogram& histogram);
  /// For a scrape: if one of them isn't shown, all of its decade.
  void add_decades(const DurationHistogram& histogram);

  bool operator[](std::size_t bucket) const { return shown_[bucket]; }

 private:
  void add_range(std::size_t first, std::size_t last);

  std::bitset<duration_buckets::kBuckets> shown_;
};

/// The likely latencies of the scenario's links; with rates, which add transfers and queues, up to
/// ten times as much.
std::vector<DurationRange> likely_latencies(const Scenario& scenario);

/// The buckets of each histogram metric for a scrape.
class ScrapedBuckets {
 public:
  ScrapedBuckets(const Scenario& scenario, const std::vector<MetricSample>& samples);
  const ShownBuckets& of(Metric metric) const {
    return metric == Metric::message_latency ? latencies_ : others_;
  }

 private:
  ShownBuckets latencies_, others_;
};

struct CumulativeBucket {
  double bound_s = 0;
  std::uint64_t count = 0;  // of durations up to the bound
};
/// The shown buckets, without +Inf, whose count is that of the histogram.
std::vector<CumulativeBucket> cumulative_buckets(const DurationHistogram& histogram,
                                                 const ShownBuckets& shown);

}  // namespace posse
