// SPDX-License-Identifier: Apache-2.0
// A fault that began or ended, for the record of a run.
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "core/base/ids.hpp"
#include "core/base/time.hpp"
#include "core/network/fault_times.hpp"
#include "core/role/outcome.hpp"

namespace posse {

/// What a fault concerns: nodes (NodeFault), links (LinkFault), the numbers that nodes send
/// (CorruptFault); or a burst in which a link lost something (BurstLoss), which no [[fault]]
/// states.
enum class FaultOf : std::uint8_t { nodes, links, values, bursts };

struct FaultRecord {
  Time at;
  FaultOf of = FaultOf::nodes;
  // Its number in NetworkConfig::node_faults, link_faults, corrupt_faults; of a burst 1 if both
  // directions of the link are bad, kUnrecorded if bursts may be missing from then on, else 0.
  std::uint16_t fault = 0;
  bool begins = true;
  NodeId node;  // of a node's fault; where a burst's link begins
  NodeId to;    // where a burst's link ends
  auto operator<=>(const FaultRecord&) const = default;
  static constexpr std::uint16_t kUnrecorded = 2;
};

/// Adds the beginnings and ends until `end` of a fault that has the same times everywhere, the
/// first Occurrences::kMostRecorded.
inline void record_occurrences(const Occurrences& when,
                               FaultOf of,
                               std::uint16_t fault,
                               Time end,
                               std::vector<FaultRecord>& records) {
  for (std::uint64_t i = 0; i < Occurrences::kMostRecorded; ++i) {
    const auto each = when.number(i);
    if (!each || each->begin > end) return;
    records.push_back({each->begin, of, fault, true, {}});
    if (each->end <= end) records.push_back({each->end, of, fault, false, {}});
  }
}

/// Adds what has begun and ended at `now`, all of it.
inline void count_occurrences(const Occurrences& when, Time now, FaultCounts::Count& count) {
  const std::uint64_t begun = when.begun(now);
  count.begun += begun;
  count.ended += begun - (when.covering(now) ? 1 : 0);
}

}  // namespace posse
