// SPDX-License-Identifier: Apache-2.0
// The reliable transport: messages are numbered per link, every copy is acknowledged, and a message
// that is not acknowledged is repeated after growing waits. The order of messages is not restored.
//
// After each transmission the sender checks for an acknowledgement: an event. Where only the
// network decides what becomes of a copy, most messages need neither this event nor one for the
// arrival of the acknowledgement, which is only counted (`foreseen`). When a copy arrives, its
// receiver already knows when (or whether) the acknowledgement will reach the sender
// (ack_forecast.hpp):
//   before the sender's first check: the check would find it, and neither is an event
//   between the first check and the next one: the receiver plans the first check, at which the
//     message is sent again. That copy is redundant: neither its acknowledgement nor the next check
//     is an event
//   after the next check: the receiver plans the first check. Everything later is an event
//   never: the receiver plans the first check, and the copy that is sent then is watched like the
//     first copy
//
// How long a sender waits: time_outs.hpp, round_trips.hpp. Where round trips are measured nothing
// is foreseen.
//
// Numbers given and open belong to the link's sender, numbers received to its receiver.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/network/config.hpp"
#include "core/network/time_outs.hpp"
#include "core/sim/branches.hpp"
#include "core/sim/link_layer.hpp"
#include "core/sim/node_state.hpp"
#include "core/sim/round_trips.hpp"

namespace posse {

class ReliableTransport {
 public:
  /// `foresees`: only the network decides what becomes of a copy, and no event of an
  /// acknowledgement is wanted.
  ReliableTransport(TimeOuts timeouts,
                    const Retransmission& rule,
                    bool foresees,
                    LinkLayer& links,
                    ReachedBranches& reached);

  /// The number of the next message on the link from `from` to `to`.
  std::uint32_t take_number(NodeId from, NodeId to) {
    return links_.ends().next_number(links_.map().link(from, to))++;
  }
  /// Fetches what `is_void` needs, if the event is a check.
  [[gnu::always_inline]] void fetch_for_check(const Event& event) const {
    if (const auto* check = std::get_if<RetransmitEvent>(&event.kind))
      links_.ends().fetch_end(links_.map().link(event.node, check->to));
  }
  /// Transmits a message of `sender` and plans to check for its acknowledgement.
  void transmit(Transmission&& message, NodeState& sender, Time now, Worker& worker);
  /// Acknowledges a copy that has arrived at `receiver`. False if its message had been received.
  bool receive(const Event& copy, Time departed, NodeState& receiver, Worker& worker);
  /// An acknowledgement has arrived at `sender`.
  void on_acknowledgement(const Event& copy, NodeState& sender, Worker& worker);
  /// Gives up what `sender` has sent to `to` and is not acknowledged.
  void forget_sent(NodeId from, NodeState& sender, NodeId to);
  // Of nodes in other processes, which may be lost there and come again with nothing.
  /// What `to` has not acknowledged begins with this number.
  std::uint32_t first_unacknowledged(NodeId from, const NodeState& sender, NodeId to) const;
  /// `to` has received what `from` sent it before this number, and nothing else.
  void receive_from(NodeId from, NodeId to, std::uint32_t number, NodeState& receiver);

  /// Whether a check of `sender` is for a message that is acknowledged, or that it gave up.
  bool is_void(const Event& event, const RetransmitEvent& check, const NodeState& sender) const {
    if (check.forecast != AckForecast::unknown) return false;
    const LinkId end = links_.map().link(event.node, check.to);
    return !links_.ends().open(end).contains(
        end.value, event.number, sender.extras ? &sender.extras->open : nullptr);
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
  /// The wait for a copy that follows `tries` others and is sent now.
  Duration wait(LinkId link, const Payload& payload, std::uint32_t tries) const;
  /// Acknowledges a watched copy, and plans the sender's check for it if one is needed.
  [[gnu::always_inline]] inline void acknowledge_watched(const Event& copy,
                                                         const WatchedArrival& watched,
                                                         Time departed,
                                                         Worker& worker);
  /// The message of a check is sent again, as copy number `tries`.
  void keep_record(const Event& check, std::uint32_t tries, LinkId link, NodeState& sender);
  /// When the message of a check after `tries` transmissions was first sent. Without paths: if it
  /// waited for no line, and round trips are not measured.
  Time first_sent(const Event& check, std::uint32_t tries, LinkId link) const;
  /// The message may have to be repeated, from now on or no longer.
  void open(LinkId end, std::uint32_t number, NodeState& sender);
  void close(LinkId end, std::uint32_t number, NodeState& sender);
  /// As far as the sender is concerned, all numbers below this one are done with.
  static void give_up_below(LinkId end, std::uint32_t number, NodeState& sender);

  const Retransmission& rule_;
  bool foresees_;
  Duration lead_;  // with which a receiver can plan events of the sender
  LinkLayer& links_;
  TimeOuts timeouts_;
  bool measures_;  // on some links
  RoundTrips round_trips_;
  ReachedBranches& reached_;
};

}  // namespace posse
