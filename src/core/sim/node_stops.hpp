// SPDX-License-Identifier: Apache-2.0
// What a node that faults may stop keeps while it stands still.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/fifo.hpp"
#include "core/base/time.hpp"
#include "core/role/observation_record.hpp"
#include "core/role/role.hpp"
#include "core/sim/event.hpp"
#include "core/sim/work_record.hpp"

namespace posse {

struct NodeStops {
  std::uint32_t pauses = 0, crashes = 0;     // under way
  Fifo<ObservationRecord> observations;      // of work that is not done yet, in order
  std::vector<WorkRecord> work;              // if it is traced: what may still be interrupted
  bool crashed = false;                      // since it stands still
  bool timers_dropped = false;               // by a crash since then: its role may set them again
  std::vector<DroppedTimer> dropped_timers;  // these, unless the state is lost
  std::uint32_t endless = 0;                 // stops under way without an end
  Time since;                                // when it came to stand still
  std::vector<Event> held;                   // what reached it since then, in that order
  /// Sends that wait for the end of the node's work, in order. Their events carry the epoch in
  /// which they were planned; those of an earlier epoch are void, since the work takes longer.
  Fifo<Event> departures;
  std::uint32_t epoch = 0;
  bool state_lost = false;              // since it stands still
  std::optional<Time> last_state_lost;  // for the report of a stalled run

  bool stopped() const { return pauses + crashes > 0; }
};

}  // namespace posse
