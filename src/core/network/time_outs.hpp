// SPDX-License-Identifier: Apache-2.0
// How long the reliable transport waits for the acknowledgement of a copy, as far as it is known
// beforehand.
//
// A stated time-out counts from the moment of sending. A derived one knows its link, and counts
// from the moment at which the copy has left its sender's lines: twice the typical round trip, plus
// what the lines behind take if all who share one send a message like this: the receiver's for the
// copy, and those of the way back for the acknowledgement.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/base/ids.hpp"
#include "core/base/time.hpp"
#include "core/network/config.hpp"
#include "core/network/network.hpp"

namespace posse {

class TimeOuts {
 public:
  /// `acknowledgement`: its size in bytes, header included. `handling`: by node, how long it may be
  /// busy before it acknowledges a message; empty: no time.
  TimeOuts(const Retransmission& rule,
           const Network& network,
           std::uint64_t acknowledgement,
           std::vector<Duration> handling = {});

  TimeOut::Rule rule(LinkId link) const { return of(link).rule; }
  bool any_measured() const;
  /// The wait for a copy of `bytes`, header included, that follows `tries` others. Of measured
  /// links: until a round trip is known.
  Duration wait(LinkId link, std::uint64_t bytes, std::uint32_t tries) const {
    return alike_ && tries < waits_.size() ? waits_[tries] : later_wait(link, bytes, tries);
  }

  /// What a derived time-out consists of.
  struct Terms {
    Duration round_trips;  // twice the typical one
    Duration lines, handling;
    Duration timeout;
  };
  Terms terms(LinkId link, std::uint64_t bytes) const;

 private:
  const TimeOut& of(LinkId link) const {
    const auto& own = network_.stated_timeout(link);
    return own ? *own : rule_.timeout;
  }
  Duration later_wait(LinkId link, std::uint64_t bytes, std::uint32_t tries) const;
  Duration lines(LinkId link, std::uint64_t bytes) const;

  const Retransmission& rule_;
  const Network& network_;
  std::uint64_t acknowledgement_;
  std::vector<Duration> handling_;
  bool alike_ = false;               // all copies on all links have the same waits
  std::array<Duration, 3> waits_{};  // the first of these, if `alike_`
};

}  // namespace posse
