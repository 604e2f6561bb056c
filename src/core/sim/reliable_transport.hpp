// SPDX-License-Identifier: Apache-2.0
// The reliable transport: messages are numbered per link, every copy is acknowledged, and a message
// that is not acknowledged is repeated after growing waits. The order of messages is not restored.
//
// Numbers given and acknowledged belong to the link's sender, numbers received to its receiver.
#pragma once

#include <cstdint>

#include "core/network/config.hpp"
#include "core/sim/link_layer.hpp"
#include "core/sim/node_state.hpp"

namespace posse {

class ReliableTransport {
 public:
  ReliableTransport(const Retransmission& rule, std::uint16_t acknowledgement, LinkLayer& links);

  /// The number of the next message on the link from `from` to `to`.
  std::uint32_t take_number(NodeId from, NodeId to) {
    return links_.ends().next_number(links_.map().link(from, to))++;
  }
  /// Fetches what `is_acknowledged` needs, if the event is a check.
  [[gnu::always_inline]] void fetch_for_check(const Event& event) const {
    if (const auto* check = std::get_if<RetransmitEvent>(&event.kind))
      links_.ends().fetch_end(links_.map().link(event.node, check->to));
  }
  /// Transmits a message of `sender` and plans to check for its acknowledgement.
  void transmit(Transmission&& message, NodeState& sender, Time now, Worker& worker);
  /// Acknowledges a copy that has arrived at `receiver`. False if its message had been received.
  bool receive(const Event& copy, NodeState& receiver, Worker& worker);
  /// An acknowledgement has arrived at `sender`.
  void on_acknowledgement(const Event& copy, NodeState& sender);
  /// Gives up what `sender` has sent to `to` and is not acknowledged.
  void forget_sent(NodeId from, NodeState& sender, NodeId to);
  // Of nodes in other processes, which may be lost there and come again with nothing.
  /// What `to` has not acknowledged begins with this number.
  std::uint32_t first_unacknowledged(NodeId from, NodeId to) const {
    return links_.ends().acknowledged(links_.map().link(from, to)).first_missing();
  }
  /// `to` has received what `from` sent it before this number, and nothing else.
  void receive_from(NodeId from, NodeId to, std::uint32_t number, NodeState& receiver);

  /// Whether a check of `sender` is for a message that is acknowledged, or that it gave up.
  bool is_acknowledged(const Event& event,
                       const RetransmitEvent& check,
                       const NodeState& sender) const {
    const LinkId end = links_.map().link(event.node, check.to);
    return links_.ends().acknowledged(end).contains(end.value, event.number, [&sender] {
      return sender.early(&NodeState::Extras::early_acknowledged);
    });
  }
  /// True if a message to `to` has not been received and may still be: the sender has neither given
  /// it up nor been cut off for good at `now`.
  bool expects(
      NodeId from, const NodeState& sender, NodeId to, const NodeState& receiver, Time now) const;
  /// Repeats the message unless it is acknowledged, or gives it up.
  void on_retransmit(const Event& event,
                     const RetransmitEvent& check,
                     NodeState& sender,
                     Worker& worker);

 private:
  /// The wait after a transmission that followed `tries` others.
  Duration wait(std::uint32_t tries) const;

  const Retransmission& rule_;
  Duration first_wait_;
  std::uint16_t acknowledgement_;
  LinkLayer& links_;
};

}  // namespace posse
