// SPDX-License-Identifier: Apache-2.0
// What is known in advance of acknowledgements, so that most of them, and most checks for them, are
// not events. docs/decisions/013-acknowledgements-known-in-advance.md shows when each is known.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "core/base/time.hpp"

namespace posse {

/// What is known of the acknowledgement of a message when its sender checks for it, and when it
/// sends the message (again). The "next check" is the first one after that.
enum class AckForecast : std::uint8_t {
  /// Nothing is known. A check looks whether the message has been acknowledged.
  unknown,
  /// Neither a copy of the message nor an acknowledgement is in flight: the next copy decides.
  nothing_in_flight,
  /// An acknowledgement is in flight. It arrives after the next check, as an event.
  after_next_check,
  /// An acknowledgement is in flight. It arrives before the next check, which is not an event.
  before_next_check
};

/// Up to when an arrival can be foreseen. It is compared with every arrival and therefore one word:
/// a time before 0, which no other class sees, stands for "never".
class ForeseenUntil {
 public:
  /// No arrival is foreseen.
  ForeseenUntil() = default;
  /// Arrivals up to `latest` are foreseen, but not those at the end of virtual time: they are
  /// events and fail the run.
  explicit ForeseenUntil(Time latest) : latest_(std::min(latest, Time::max() - Duration{1})) {}
  /// Every arrival that a run can have is foreseen.
  static ForeseenUntil always() { return ForeseenUntil(Time::max()); }

  bool covers(Time arrival) const { return arrival <= latest_; }

 private:
  Time latest_{-1};
};

/// When the sender of a copy checks for its acknowledgement, as the copy's receiver knows it.
struct AckChecks {
  Time first;   // the first check after the copy
  Time second;  // the next one, if the message is sent again at the first
  /// At one instant, the sender handles events in the order of their sources: an acknowledgement
  /// before its check if the receiver's number is smaller than the sender's.
  bool acknowledgement_first = false;

  /// The latest arrival of an acknowledgement that a check finds.
  Time latest_for(Time check) const { return acknowledgement_first ? check : check - Duration{1}; }
  /// `acknowledged`: when the acknowledgement arrives; nothing if it is lost.
  bool first_finds(std::optional<Time> acknowledged) const {
    return acknowledged && *acknowledged <= latest_for(first);
  }
  /// The forecast at the first check, which does not find an acknowledgement.
  AckForecast at_first(std::optional<Time> acknowledged) const {
    if (!acknowledged) return AckForecast::nothing_in_flight;
    return *acknowledged <= latest_for(second) ? AckForecast::before_next_check
                                               : AckForecast::after_next_check;
  }
};

}  // namespace posse
