// SPDX-License-Identifier: Apache-2.0
// What messages cost, counted by type and direction, and by round. Each struct names its counts
// once, for all that adds them up, compares them or sends them to another process.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/base/time.hpp"

namespace posse {

/// Copies of messages of one type in one direction. They balance:
/// copies() = ended() + in_flight.
struct CopyCounts {
  std::uint64_t sent = 0;        // first transmissions
  std::uint64_t repeated = 0;    // retransmissions by the reliable transport
  std::uint64_t needless = 0;    // repeated before an acknowledgement of an earlier copy came
  std::uint64_t duplicated = 0;  // copies made by the network
  std::uint64_t delivered = 0;   // handed to a role (or an acknowledgement that arrived)
  std::uint64_t discarded = 0;   // repeats and copies removed by the receiver's transport
  std::uint64_t dropped_loss = 0;
  std::uint64_t dropped_queue = 0;
  std::uint64_t dropped_partition = 0;
  std::uint64_t dropped_crash = 0;
  std::uint64_t in_flight = 0;     // on the way when the run ended
  std::uint64_t values = 0;        // numbers in first transmissions, counted as in the papers
  std::uint64_t bytes = 0;         // of first transmissions, payload and header
  std::uint64_t header_bytes = 0;  // of these bytes, those of headers
  std::uint64_t wire_bytes = 0;    // of all copies put on the wire by the sender, and handshakes
  // Of these copies, those that left after the server or agent had finished:
  std::uint64_t after_finish = 0;
  std::uint64_t after_finish_bytes = 0;
  Duration needless_trip{};  // the longest time from a first copy to an acknowledgement that made
                             // a later copy needless
  std::uint64_t copies() const { return sent + repeated + duplicated; }
  std::uint64_t dropped() const {
    return dropped_loss + dropped_queue + dropped_partition + dropped_crash;
  }
  /// Copies that are no longer on their way.
  std::uint64_t ended() const { return delivered + discarded + dropped(); }
  /// Calls `visit` with a pointer to each member but `needless_trip`.
  template <class Visit>
  static void each(Visit visit) {
    const auto all = [&](auto... counts) { (visit(counts), ...); };
    all(&CopyCounts::sent,
        &CopyCounts::repeated,
        &CopyCounts::needless,
        &CopyCounts::duplicated,
        &CopyCounts::delivered,
        &CopyCounts::discarded,
        &CopyCounts::dropped_loss,
        &CopyCounts::dropped_queue,
        &CopyCounts::dropped_partition,
        &CopyCounts::dropped_crash,
        &CopyCounts::in_flight,
        &CopyCounts::values,
        &CopyCounts::bytes,
        &CopyCounts::header_bytes,
        &CopyCounts::wire_bytes,
        &CopyCounts::after_finish,
        &CopyCounts::after_finish_bytes);
  }
  void add(const CopyCounts& other) {
    each([&](auto count) { this->*count += other.*count; });
    needless_trip = std::max(needless_trip, other.needless_trip);
  }
  bool operator==(const CopyCounts&) const = default;
};

/// Of the messages of one round.
struct RoundCount {
  std::uint64_t messages = 0;  // first transmissions that carry this round's number
  std::uint64_t bytes = 0;     // of these, payload and header
  std::uint64_t values = 0;    // numbers in them, counted as in the papers
  std::uint64_t needless = 0;  // needless repetitions that carry this round's number
  // Virtual time, summed over nodes and messages.
  Duration compute{}, queueing{}, transfer{}, propagation{};
  /// Calls `visit` with a pointer to each member.
  template <class Visit>
  static void each(Visit visit) {
    const auto all = [&](auto... counts) { (visit(counts), ...); };
    all(&RoundCount::messages,
        &RoundCount::bytes,
        &RoundCount::values,
        &RoundCount::needless,
        &RoundCount::compute,
        &RoundCount::queueing,
        &RoundCount::transfer,
        &RoundCount::propagation);
  }
  void add(const RoundCount& other) {
    each([&](auto count) { this->*count += other.*count; });
  }
  bool operator==(const RoundCount&) const = default;
};

}  // namespace posse
