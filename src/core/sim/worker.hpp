// SPDX-License-Identifier: Apache-2.0
// The working state and the counts of one thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/network/fault_record.hpp"
#include "core/network/ledger.hpp"
#include "core/sim/event.hpp"
#include "core/sim/lost_messages.hpp"
#include "core/sim/message_record.hpp"
#include "core/sim/recent_messages.hpp"
#include "core/sim/role_failure.hpp"
#include "core/sim/role_host.hpp"
#include "core/sim/tied_events.hpp"
#include "core/sim/work_record.hpp"

namespace posse {

/// The arrival of an acknowledgement that is no event: counted when it departs.
struct ForeseenArrival {
  Time arrival, departed;
  LinkId link;
  Direction direction = Direction::peer;
};

/// A repetition that turns out to be needless when an acknowledgement arrives without an event.
struct ForeseenNeedless {
  Time arrival;
  Duration trip;
  std::uint16_t type = 0;
  Round round;
  Direction direction = Direction::peer;
};

struct Worker {
  explicit Worker(std::size_t types) : ledger(types) {}
  Ledger ledger;
  Reaction reaction;
  Stimulus stimulus;
  Path timer_path;  // of the timer to which the role reacts
  TiedEvents tied;
  EventSink* sink = nullptr;
  RoleHost* host = nullptr;
  std::vector<MessageRecord> messages;
  std::vector<WorkRecord> work;
  RecentMessages recent;
  LostMessages lost;
  std::vector<ForeseenArrival> foreseen;            // all that may be on their way
  std::vector<ForeseenNeedless> foreseen_needless;  // of these
  std::vector<NeedlessCopies> needless;             // with records of messages
  Time last_wait;  // the latest end of a wait for an acknowledgement that was foreseen
  std::size_t foreseen_to_keep = 0;  // when there are more, those that have arrived are left out
  std::vector<FaultRecord> faults;   // of nodes, the scenario's
  FaultCounts fault_counts;          // of nodes, those of observers included
  std::optional<RoleFailure> failure;
  bool interrupted = false;  // a reaction was: what it did is lost
  std::uint64_t events = 0, deliveries = 0, ties = 0, evaluations = 0, early_decisions = 0;
  std::uint32_t finished = 0;
  Time stops_matter_from = Time::max();  // a crash or pause dropped or delayed something
  Time finished_at, last_event, last_acknowledgement;  // that arrived, as an event or foreseen

  /// Observations that nobody has taken. Not while a role reacts.
  std::vector<ObservationRecord>& observations() { return reaction.all_observations(); }
  /// Keeps the earliest failure.
  void fail(const Event& event, std::string what, bool outside) {
    RoleFailure later{event.time, event.node, std::move(what), outside};
    if (!failure || before(later, *failure)) failure = std::move(later);
  }
};

}  // namespace posse
