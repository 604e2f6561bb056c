// SPDX-License-Identifier: Apache-2.0
// Nodes that send wrong numbers (CorruptFault).
//
// A lie is told when the role sends, so a message and its repetitions carry the same one. Random
// occurrences are those of the fault, the same for all of its nodes: stream `corrupt-times`, fault.
// Noise: stream `corrupt/<node>`, one draw per number sent while the node lies.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "core/network/config.hpp"
#include "core/network/fault_record.hpp"
#include "core/network/nodes.hpp"
#include "core/role/message.hpp"

namespace posse {

class MessageCorruption {
 public:
  MessageCorruption(const std::vector<CorruptFault>& faults, const Nodes& nodes, Seed seed);

  bool any() const { return !faults_.empty(); }
  /// Replaces what `node` would send at `now` by what it sends. Thread-safe for distinct nodes.
  void apply(NodeId node, std::uint16_t type, Payload& payload, Time now);
  /// Adds the beginnings and ends of the faults until `end`.
  void record(Time end, std::vector<FaultRecord>& records) const;
  /// Adds the faults that have begun and ended at `now`.
  void count(Time now, FaultCounts::Count& count) const;

 private:
  struct Fault {
    const CorruptFault* config;
    Occurrences when;
  };
  /// What is kept of a node that may lie.
  struct Liar {
    std::vector<std::size_t> faults;
    StreamKey noise;
    std::uint64_t drawn = 0;
    std::map<std::uint16_t, std::vector<double>> last;  // its own numbers, by message type
  };

  std::vector<Fault> faults_;
  std::map<NodeId, Liar> corruption_;
};

}  // namespace posse
