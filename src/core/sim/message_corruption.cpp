// SPDX-License-Identifier: Apache-2.0
#include "core/sim/message_corruption.hpp"

#include "core/random/distributions.hpp"

namespace posse {

MessageCorruption::MessageCorruption(const std::vector<CorruptFault>& faults,
                                     const Nodes& nodes,
                                     Seed seed) {
  for (std::size_t f = 0; f < faults.size(); ++f) {
    faults_.push_back(
        {&faults[f], Occurrences(faults[f].when, stream_key(seed, "corrupt-times", f))});
    for (const auto& selector : faults[f].nodes)
      for (const auto range : nodes.members(selector, stream_key(seed, "corrupt-share", f)))
        for (auto i = range.first; i < range.last; ++i) {
          Liar& liar = corruption_[NodeId{i}];
          liar.noise = stream_key(seed, "corrupt", nodes.name(NodeId{i}));
          liar.faults.push_back(f);
        }
  }
}

void MessageCorruption::apply(NodeId node, std::uint16_t type, Payload& payload, Time now) {
  const auto it = corruption_.find(node);
  if (it == corruption_.end()) return;
  Liar& liar = it->second;
  auto& last = liar.last[type];
  std::vector<double> own;
  payload.type().map(payload, [&](double x) { return own.push_back(x), x; });
  for (const std::size_t f : liar.faults) {
    const CorruptFault& fault = *faults_[f].config;
    if (!faults_[f].when.covering(now)) continue;
    std::size_t i = 0;
    payload = payload.type().map(payload, [&](double x) {
      switch (fault.how) {
        case Corruption::constant:
          return fault.value;
        case Corruption::noise: {
          DrawEngine draws(liar.noise, liar.drawn++);
          return x + fault.value * draw_normal(draws);
        }
        case Corruption::sign:
          return -x;
        case Corruption::stale:
          return i < last.size() ? last[i++] : x;
      }
      return x;
    });
  }
  last = std::move(own);
}

void MessageCorruption::record(Time end, std::vector<FaultRecord>& records) const {
  for (std::size_t f = 0; f < faults_.size(); ++f)
    record_occurrences(
        faults_[f].when, FaultOf::values, static_cast<std::uint16_t>(f), end, records);
}

void MessageCorruption::count(Time now, FaultCounts::Count& count) const {
  for (const Fault& fault : faults_) count_occurrences(fault.when, now, count);
}

}  // namespace posse
