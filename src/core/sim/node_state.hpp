// SPDX-License-Identifier: Apache-2.0
// What the world keeps for each node.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "core/base/ids.hpp"
#include "core/base/time.hpp"
#include "core/network/open_numbers.hpp"
#include "core/network/sequence_set.hpp"
#include "core/sim/event.hpp"
#include "core/sim/node_stops.hpp"
#include "core/sim/pending_timers.hpp"
#include "core/sim/repeated_messages.hpp"

namespace posse {

/// What others need to know of a node that is simulated elsewhere.
struct NodeProgress {
  Time busy_until, last_event{-1}, last_reaction;
  std::uint64_t hash = 0;  // of the messages delivered to its role, in order
  std::uint64_t evaluations = 0;
  bool started = false, finished = false;
  bool worked = false;  // for longer than no time
};

struct alignas(64) NodeState : NodeProgress {  // in one cache line
  /// One of a pair of copies has come to the node; the other is on its way.
  struct HalfPair {
    NodeId source;
    std::uint32_t first;  // sequence number of the first of the two
    bool dropped;
  };
  /// What only some nodes need.
  struct Extras {
    PendingTimers timers;
    // Of the reliable transport, by end of a link.
    SequenceSet::Early early_received;
    OpenNumbers::Others open;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> given_up;  // all numbers below; sorted
    std::unique_ptr<RepeatedMessages> repeated;
    std::vector<HalfPair> half_pairs;
    std::unique_ptr<NodeStops> stops;  // of nodes that have faults
  };

  std::uint32_t counter = 2 * kMostNodeFaults;  // of local events; smaller numbers: of faults
  std::uint32_t handed = 0;                     // messages, to its role
  std::uint32_t departures = 0;                 // sends that wait for the end of the node's work
  std::unique_ptr<Extras> extras;               // null until needed

  NodeProgress& progress() { return *this; }
  const NodeProgress& progress() const { return *this; }
  Extras& make_extras() {
    if (!extras) extras = std::make_unique<Extras>();
    return *extras;
  }
  NodeStops* stops() const { return extras ? extras->stops.get() : nullptr; }
  /// When its work is done; `now` if it has none.
  Time free_at(Time now) const { return std::max(busy_until, now); }
  /// The next event that this node, `self`, causes at itself.
  Event local_event(NodeId self, Time time, Event::Kind kind) {
    Event event;
    event.time = time;
    event.node = event.source = self;
    event.kind = kind;
    event.sequence = ++counter;
    return event;
  }
};
static_assert(sizeof(NodeState) <= 64, "a run may have a million nodes");

}  // namespace posse
