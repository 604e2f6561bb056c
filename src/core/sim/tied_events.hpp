// SPDX-License-Identifier: Apache-2.0
// What is due at one node and instant, put aside until all of it has come (tie_order.hpp).
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/base/huge_pages.hpp"
#include "core/sim/event.hpp"
#include "core/sim/event_keys.hpp"

namespace posse {

struct TiedEvents {
  bool open = false;                              // more may come
  bool noticed = false;                           // not all that came were acknowledgements
  std::vector<Event, HugePages<Event>> arrivals;  // in the order of sources
  std::vector<Event> timers;                      // in the order in which they were set
  EventKeys in_turn;                              // the arrivals, as they take effect
  KeySorter sorter;

  /// Before an event is handled. `more`: another is tied with it. `notices`: it is no
  /// acknowledgement.
  void begin_or_go_on(bool more, bool notices) {
    open = open || more;
    noticed = noticed || (open && notices);
  }
  /// One of the tied events, null if there is none.
  const Event* first() const {
    if (!arrivals.empty()) return &arrivals.front();
    return timers.empty() ? nullptr : &timers.front();
  }
  void clear() {
    arrivals.clear();
    timers.clear();
    in_turn.clear();
  }
};

}  // namespace posse
