// SPDX-License-Identifier: Apache-2.0
// The last message that each deciding node received and sent, for the report of a run that stalls.
//
// Cost: a few stores per message at such a node; 48 bytes per node.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/ids.hpp"
#include "core/base/time.hpp"

namespace posse {

class LastMessages {
 public:
  struct Last {
    Time time{-1};  // -1: none
    NodeId other;   // its sender, or its first receiver
    std::uint32_t receivers = 0;
    Round round;
    std::uint16_t type = 0;

    bool any() const { return time.ns >= 0; }
  };
  struct OfNode {
    Last received, sent;
  };

  /// Of the nodes from 0 to `nodes` - 1.
  explicit LastMessages(std::uint32_t nodes) : nodes_(nodes) {}

  void receives(NodeId node, NodeId from, Round round, std::uint16_t type, Time time) {
    if (node.value < nodes_.size()) nodes_[node.value].received = {time, from, 1, round, type};
  }
  /// To `receivers` nodes from `first` on.
  void sends(NodeId node,
             NodeId first,
             std::uint32_t receivers,
             Round round,
             std::uint16_t type,
             Time time) {
    if (node.value < nodes_.size()) nodes_[node.value].sent = {time, first, receivers, round, type};
  }
  /// Null if they are not known.
  const OfNode* of(NodeId node) const {
    return node.value < nodes_.size() ? &nodes_[node.value] : nullptr;
  }

 private:
  std::vector<OfNode> nodes_;
};

}  // namespace posse
