// SPDX-License-Identifier: Apache-2.0
// Collects one message per player and round where all players wait for each other: an exchange
// without a server.
//
// No player ends a round before it has a message from every other player. A faster player is
// therefore at most one round ahead, and its message is kept for the next round. A second message
// of a player for a round is a duplicate and changes nothing. 16 bytes per player; O(1) per
// message.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/base/ids.hpp"
#include "core/base/time.hpp"
#include "core/exchange/gather.hpp"
#include "core/role/message.hpp"

namespace posse {

class PeerGather {
 public:
  /// Players are the nodes 0 … players - 1.
  PeerGather(std::uint32_t players, std::uint32_t self)
      : self_(self), current_(players), next_(players) {}

  /// The player's own message of the current round.
  void own(Payload payload) { current_.messages[self_] = std::move(payload); }

  /// Another player's message, for the round `ahead` = 0 or 1 after the current one. True if it
  /// counts for the current round; the caller then checks `complete()`.
  bool take(const Message& message, std::uint32_t ahead, Time now) {
    Answers& answers = ahead == 0 ? current_ : next_;
    if (message.from.value >= current_.messages.size() || message.from.value == self_) return false;
    Payload& slot = answers.messages[message.from.value];
    if (slot) return false;
    slot = message.payload;
    answers.clock.add(message.from, now);
    return ahead == 0;
  }

  /// True when the messages of all players, including this one, have arrived.
  bool complete() const {
    return current_.messages[self_] && current_.clock.answers() + 1 == current_.messages.size();
  }

  /// The messages by player.
  const std::vector<Payload>& messages() const { return current_.messages; }
  /// Fills in `arrived`, `expected`, `waited` and `came_last` of the record of the current round.
  void close(Time now, RoundEnded& record) const {
    record.arrived = current_.clock.answers();
    record.expected = static_cast<std::uint32_t>(current_.messages.size()) - 1;
    record.waited = current_.clock.until(now);
    record.came_last = current_.clock.came_last();
  }
  /// Players whose message of the current round is missing, in id order.
  std::vector<NodeId> missing() const {
    std::vector<NodeId> nodes;
    for (std::uint32_t player = 0; player < current_.messages.size(); ++player)
      if (!current_.messages[player]) nodes.push_back(NodeId{player});
    return nodes;
  }

  /// Goes on to the next round.
  void next_round() {
    std::fill(current_.messages.begin(), current_.messages.end(), Payload{});
    current_.clock = {};
    std::swap(current_, next_);
  }

 private:
  struct Answers {
    explicit Answers(std::size_t players) : messages(players) {}
    std::vector<Payload> messages;  // by player
    WaitClock clock;                // the others'
  };

  std::uint32_t self_;
  Answers current_;
  Answers next_;
};

}  // namespace posse
