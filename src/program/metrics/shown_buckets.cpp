// SPDX-License-Identifier: Apache-2.0
#include "program/metrics/shown_buckets.hpp"

#include <algorithm>
#include <variant>

namespace posse {
namespace {

std::size_t bucket_at(Duration duration) {
  return duration_buckets::bucket_of(
      static_cast<std::uint64_t>(std::max<std::int64_t>(duration.ns, 0)));
}

std::size_t bucket_below(std::size_t bucket) { return bucket == 0 ? 0 : bucket - 1; }

}  // namespace

ShownBuckets ShownBuckets::of_scrape(const std::vector<DurationRange>& likely) {
  ShownBuckets buckets;
  for (std::size_t decade = 0; decade < duration_buckets::kDecades; ++decade)
    buckets.shown_.set(duration_buckets::power_of_ten(decade));
  for (const auto& [least, largest] : likely)
    buckets.add_range(bucket_below(bucket_at(least)), bucket_at(largest));
  return buckets;
}

void ShownBuckets::add_range(std::size_t first, std::size_t last) {
  for (std::size_t i = first; i <= std::min(last, duration_buckets::kBuckets - 1); ++i)
    shown_.set(i);
}

void ShownBuckets::add_needed(const DurationHistogram& histogram) {
  for (std::size_t i = histogram.first(); i < histogram.end(); ++i)
    if (histogram.count(i) > 0) add_range(bucket_below(i), i);
}

void ShownBuckets::add_decades(const DurationHistogram& histogram) {
  for (std::size_t i = histogram.first(); i < histogram.end(); ++i) {
    if (histogram.count(i) == 0 || (shown_[i] && shown_[bucket_below(i)])) continue;
    if (i <= duration_buckets::power_of_ten(0)) {  // 0, or 1 ns
      add_range(bucket_below(i), i);
      continue;
    }
    const std::size_t decade =
        (i - 1 - duration_buckets::power_of_ten(0)) / duration_buckets::kSteps.size();
    add_range(duration_buckets::power_of_ten(decade), duration_buckets::power_of_ten(decade + 1));
  }
}

namespace {

void add_likely_latencies(const NetworkConfig& network, std::vector<DurationRange>& ranges) {
  double least = 1, largest = 1;
  for (const LinkRule& rule : network.links) {
    if (rule.latency_factor == nullptr) continue;
    for (const auto& step : rule.latency_factor->factors.steps()) {
      least = std::min(least, step.value);
      largest = std::max(largest, step.value);
    }
  }
  const bool queues =
      std::any_of(network.links.begin(),
                  network.links.end(),
                  [](const LinkRule& rule) { return rule.rate.has_value(); }) ||
      std::any_of(network.nodes.begin(), network.nodes.end(), [](const NodeRule& rule) {
        return rule.rate_up.has_value() || rule.rate_down.has_value();
      });
  if (queues) largest *= 10;
  const auto add = [&](const DurationRange& range) {
    ranges.push_back({Duration::seconds(range.least.to_seconds() * least),
                      Duration::seconds(range.largest.to_seconds() * largest)});
  };
  for (const LinkRule& rule : network.links)
    if (rule.latency) add(likely(*rule.latency));
  if (network.matrix != nullptr)
    for (const auto& [pair, latencies] : *network.matrix)
      for (const Duration latency : latencies) add({latency, latency});
}

}  // namespace

std::vector<DurationRange> likely_latencies(const Scenario& scenario) {
  std::vector<DurationRange> ranges;
  for (const AlgorithmEntry& entry : scenario.algorithms)
    add_likely_latencies(make_network(scenario, entry, 0), ranges);
  return ranges;
}

ScrapedBuckets::ScrapedBuckets(const Scenario& scenario, const std::vector<MetricSample>& samples)
    : latencies_(ShownBuckets::of_scrape(likely_latencies(scenario))),
      others_(ShownBuckets::of_scrape({})) {
  for (const MetricSample& sample : samples)
    if (const auto* histogram = std::get_if<DurationHistogram>(&sample.value))
      (sample.metric == Metric::message_latency ? latencies_ : others_).add_decades(*histogram);
}

std::vector<CumulativeBucket> cumulative_buckets(const DurationHistogram& histogram,
                                                 const ShownBuckets& shown) {
  std::vector<CumulativeBucket> buckets;
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < duration_buckets::kBuckets; ++i) {
    count += histogram.count(i);
    if (shown[i]) buckets.push_back({duration_buckets::bound_s(i), count});
  }
  return buckets;
}

}  // namespace posse
