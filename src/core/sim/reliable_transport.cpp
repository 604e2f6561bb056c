// SPDX-License-Identifier: Apache-2.0
#include "core/sim/reliable_transport.hpp"

#include <algorithm>
#include <utility>

namespace posse {
namespace {

using Early = SequenceSet::Early;

/// Adds a number to a set of an end of the node's; false if it is in the set. `early` is the node's
/// part of the sets.
bool add(SequenceSet& set,
         LinkId end,
         std::uint32_t number,
         NodeState& node,
         Early NodeState::Extras::*early) {
  const Early* const numbers = node.early(early);
  if (set.contains(end.value, number, [numbers] { return numbers; })) return false;
  set.insert(end.value, number, numbers, [&]() -> Early& { return node.make_extras().*early; });
  return true;
}

}  // namespace

ReliableTransport::ReliableTransport(const Retransmission& rule,
                                     std::uint16_t acknowledgement,
                                     LinkLayer& links)
    : rule_(rule),
      first_wait_(
          Duration::seconds(std::min(rule.timeout.to_seconds(), rule.max_timeout.to_seconds()))),
      acknowledgement_(acknowledgement),
      links_(links) {}

void ReliableTransport::transmit(Transmission&& message,
                                 NodeState& sender,
                                 Time now,
                                 Worker& worker) {
  Event check = sender.local_event(
      message.from, now + wait(message.tries), RetransmitEvent{message.to, message.tries + 1});
  check.type = message.type;
  check.round = message.round;
  check.number = message.number;
  check.payload = message.payload;
  links_.transmit(std::move(message), now, worker);
  worker.sink->emit(std::move(check));
}

bool ReliableTransport::receive(const Event& copy, NodeState& receiver, Worker& worker) {
  const LinkId end = links_.map().link(copy.node, copy.source);
  const bool first = add(
      links_.ends().received(end), end, copy.number, receiver, &NodeState::Extras::early_received);
  // Every copy is acknowledged, since earlier acknowledgements may have been lost.
  links_.transmit(
      {copy.node, copy.source, acknowledgement_, copy.round, copy.number}, copy.time, worker);
  return first;
}

void ReliableTransport::on_acknowledgement(const Event& copy, NodeState& sender) {
  const LinkId end = links_.map().link(copy.node, copy.source);
  add(links_.ends().acknowledged(end),
      end,
      copy.number,
      sender,
      &NodeState::Extras::early_acknowledged);
}

void ReliableTransport::forget_sent(NodeId from, NodeState& sender, NodeId to) {
  const LinkId end = links_.map().link(from, to);
  SequenceSet& acknowledged = links_.ends().acknowledged(end);
  const std::uint32_t next = links_.ends().next_number(end);
  for (auto number = acknowledged.first_missing(); number < next; ++number)
    add(acknowledged, end, number, sender, &NodeState::Extras::early_acknowledged);
}

void ReliableTransport::receive_from(NodeId from,
                                     NodeId to,
                                     std::uint32_t number,
                                     NodeState& receiver) {
  const LinkId end = links_.map().link(to, from);
  links_.ends().received(end).begin_at(number);
  if (!receiver.extras) return;
  std::erase_if(receiver.extras->early_received,
                [end](const auto& early) { return early.first == end.value; });
}

void ReliableTransport::on_retransmit(const Event& event,
                                      const RetransmitEvent& check,
                                      NodeState& sender,
                                      Worker& worker) {
  const auto [to, tries] = check;
  if (is_acknowledged(event, check, sender)) return;
  if (tries < rule_.max_tries)
    return transmit({event.node, to, event.type, event.round, event.number, tries, event.payload},
                    sender,
                    event.time,
                    worker);
  const LinkId end = links_.map().link(event.node, to);
  add(links_.ends().acknowledged(end),
      end,
      event.number,
      sender,
      &NodeState::Extras::early_acknowledged);  // as far as the sender is concerned
  Duration since_first;
  for (std::uint32_t i = 0; i < tries; ++i) since_first += wait(i);
  worker.lost.add({Time{event.time.ns - since_first.ns},
                   event.node,
                   to,
                   event.type,
                   event.round,
                   DropCause::none,
                   tries});
}

bool ReliableTransport::expects(
    NodeId from, const NodeState& sender, NodeId to, const NodeState& receiver, Time now) const {
  const LinkId sent = links_.map().link(from, to), back = links_.map().link(to, from);
  const SequenceSet& done = links_.ends().acknowledged(sent);
  const SequenceSet& there = links_.ends().received(back);
  const auto acknowledged = [&] { return sender.early(&NodeState::Extras::early_acknowledged); };
  const auto received = [&] { return receiver.early(&NodeState::Extras::early_received); };
  const std::uint32_t next = links_.ends().next_number(sent);
  for (auto number = done.first_missing(); number < next; ++number)
    if (!done.contains(sent.value, number, acknowledged) &&
        !there.contains(back.value, number, received))
      return !links_.network().cut_for_good(from, to, now);
  return false;
}

Duration ReliableTransport::wait(std::uint32_t tries) const {
  if (tries == 0) return first_wait_;
  double wait = rule_.timeout.to_seconds();
  const double most = rule_.max_timeout.to_seconds();
  for (std::uint32_t i = 0; i < tries && wait < most; ++i) wait *= rule_.backoff;
  return Duration::seconds(std::min(wait, most));
}

}  // namespace posse
