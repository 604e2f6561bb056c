// SPDX-License-Identifier: Apache-2.0
// Sending in a full mesh, whose nodes 0 … players - 1 are the players.
#pragma once

#include <cstdint>

#include "core/base/ids.hpp"
#include "core/exchange/peer_gather.hpp"
#include "core/role/message.hpp"
#include "core/role/role.hpp"

namespace posse {

/// Sends one shared message from this player to every other, in id order, and gathers it as the
/// player's own.
inline void send_to_others(Round round,
                           const Payload& payload,
                           PeerGather& gather,
                           Reaction& reaction) {
  const auto players = static_cast<std::uint32_t>(gather.messages().size());
  const std::uint32_t self = reaction.self().value;
  if (self > 0) reaction.send_payload(NodeId{0}, self, round, payload);
  if (self + 1 < players)
    reaction.send_payload(NodeId{self + 1}, players - self - 1, round, payload);
  gather.own(payload);
}

}  // namespace posse
