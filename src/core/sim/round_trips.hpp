// SPDX-License-Identifier: Apache-2.0
// Time-outs from measured round trips, per link, as RFC 6298 (Paxson, Allman, Chu, Sargent, 2011),
// section 2 and 5, in whole nanoseconds, rounded down.
//
// A round trip is that of a message that was sent once (Karn and Partridge, 1987), from the moment
// at which it has left its sender's lines. When a wait is over in vain, the link's next ones are
// longer; for messages that were sent before that they do not grow again, as if the link had a
// single timer. The next round trip ends this.
//
// What is kept of a link belongs to its sender.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/time.hpp"
#include "core/network/config.hpp"
#include "core/network/link_map.hpp"

namespace posse {

class RoundTrips {
 public:
  /// `links`: 0 if none is measured.
  RoundTrips(const Retransmission& rule, std::uint64_t links) : rule_(rule), links_(links) {}

  /// The wait for a copy that is sent now; nothing before the first round trip.
  std::optional<Duration> wait(LinkId link) const {
    const Link& of = links_[link.value];
    return of.smoothed ? std::optional(of.wait) : std::nullopt;
  }
  /// How often waits were over in vain, before the first round trip.
  std::uint32_t expiries(LinkId link) const { return links_[link.value].changes; }

  /// A copy has left its sender's lines; `again`: not the message's first one.
  void sent(LinkId link, std::uint32_t number, bool again, Time cleared) {
    Link& of = links_[link.value];
    const auto at = find(of, number);
    if (at == of.open.end() || at->number != number)
      of.open.insert(at, {number, of.changes, again, cleared});
    else
      *at = {number, of.changes, true, cleared};
  }
  void acknowledged(LinkId link, std::uint32_t number, Time now) {
    Link& of = links_[link.value];
    const auto at = find(of, number);
    if (at == of.open.end() || at->number != number) return;
    const Message message = *at;
    of.open.erase(at);
    if (!message.again) measure(of, now - message.cleared);
  }
  void expired(LinkId link, std::uint32_t number) {
    Link& of = links_[link.value];
    const auto at = find(of, number);
    if (at == of.open.end() || at->number != number || at->changes != of.changes) return;
    ++of.changes;
    const double grown = std::floor(static_cast<double>(of.wait.ns) * rule_.backoff);
    if (of.smoothed)
      of.wait = grown < static_cast<double>(rule_.max_timeout.ns)
                    ? Duration{static_cast<std::int64_t>(grown)}
                    : std::max(rule_.max_timeout, of.wait);
  }
  void gave_up(LinkId link, std::uint32_t number) {
    Link& of = links_[link.value];
    const auto at = find(of, number);
    if (at != of.open.end() && at->number == number) of.open.erase(at);
  }
  /// The sender has lost its state.
  void forget(LinkId link) { links_[link.value] = {}; }

 private:
  /// One that is not acknowledged.
  struct Message {
    std::uint32_t number, changes;  // of the wait, when it was last sent
    bool again;
    Time cleared;
  };
  struct Link {
    std::vector<Message> open;  // by number
    std::optional<Duration> smoothed;
    Duration variation, wait;
    std::uint32_t changes = 0;
  };

  static std::vector<Message>::iterator find(Link& of, std::uint32_t number) {
    return std::lower_bound(
        of.open.begin(), of.open.end(), number, [](const Message& message, std::uint32_t n) {
          return message.number < n;
        });
  }
  /// `weight` times the old value and once the new one, divided by `weight` + 1.
  static Duration mean(Duration before, int weight, Duration now) {
    __extension__ using Wide = __int128;
    return {static_cast<std::int64_t>((Wide{before.ns} * weight + now.ns) / (weight + 1))};
  }
  void measure(Link& of, Duration sample) const {
    if (!of.smoothed) {
      of.smoothed = sample;
      of.variation = {sample.ns / 2};
    } else {
      const Duration off = std::max(*of.smoothed - sample, sample - *of.smoothed);
      of.variation = mean(of.variation, 3, off);
      of.smoothed = mean(*of.smoothed, 7, sample);
    }
    ++of.changes;
    of.wait = *of.smoothed + std::max(rule_.granularity, of.variation * 4);
    of.wait = std::min(std::max(of.wait, rule_.least_timeout(TimeOut::Rule::measured)),
                       rule_.max_timeout);
  }

  const Retransmission& rule_;
  std::vector<Link> links_;
};

}  // namespace posse
