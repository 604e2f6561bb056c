// SPDX-License-Identifier: Apache-2.0
#include "actors/host/service_book.hpp"

#include <utility>

#include "core/random/stream.hpp"

namespace posse {

void ServiceBook::add(const ServiceSample& sample) {
  if (sample.of == ServiceSample::Of::latency) {
    if (sample.cause < kMostTransmissions && latencies_.size() < kMostLatencies)
      latencies_.push_back(sample);
    return;
  }
  Reservoir& all = reservoirs_[{sample.of, sample.cause, sample.sends, sample.group}];
  const std::uint64_t number = all.seen++;
  if (all.kept.size() < kMostKept) return all.kept.push_back(sample);
  // Vitter 1985, algorithm R.
  const std::uint64_t place = DrawEngine(StreamKey{}, number)() % (number + 1);
  if (place < kMostKept) all.kept[place] = sample;
}

std::vector<ServiceSample> ServiceBook::take() {
  std::vector<ServiceSample> samples = std::exchange(latencies_, {});
  for (auto& [kind, all] : std::exchange(reservoirs_, {}))
    samples.insert(samples.end(), all.kept.begin(), all.kept.end());
  return samples;
}

}  // namespace posse
