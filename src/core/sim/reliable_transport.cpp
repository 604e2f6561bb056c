// SPDX-License-Identifier: Apache-2.0
#include "core/sim/reliable_transport.hpp"

#include <algorithm>

namespace posse {
namespace {

using Early = SequenceSets::Early;

/// Adds a number to a link's set; false if it is in the set. `early` is the node's part of the
/// sets.
bool add(SequenceSets& sets,
         LinkId link,
         std::uint32_t number,
         NodeState& node,
         Early NodeState::Extras::*early) {
  const Early* const numbers = node.early(early);
  if (sets.contains(link.value, number, [numbers] { return numbers; })) return false;
  sets.insert(link.value, number, numbers, [&]() -> Early& { return node.make_extras().*early; });
  return true;
}

}  // namespace

ReliableTransport::ReliableTransport(const Retransmission& rule,
                                     std::uint16_t acknowledgement,
                                     LinkLayer& links)
    : rule_(rule),
      acknowledgement_(acknowledgement),
      links_(links),
      next_number_(links.map().links(), 0) {
  received_.resize(links.map().links());
  acknowledged_.resize(links.map().links());
}

void ReliableTransport::transmit(const Transmission& message,
                                 NodeState& sender,
                                 Time now,
                                 Worker& worker) {
  links_.transmit(message, now, worker);
  Event check = sender.local_event(
      message.from, now + wait(message.tries), RetransmitEvent{message.to, message.tries + 1});
  check.type = message.type;
  check.round = message.round;
  check.number = message.number;
  check.payload = message.payload;
  worker.sink->emit(std::move(check));
}

bool ReliableTransport::receive(const Event& copy, NodeState& receiver, Worker& worker) {
  const bool first = add(received_,
                         links_.map().link(copy.source, copy.node),
                         copy.number,
                         receiver,
                         &NodeState::Extras::early_received);
  // Every copy is acknowledged, since earlier acknowledgements may have been lost.
  const Payload nothing;
  links_.transmit({copy.node, copy.source, acknowledgement_, copy.round, copy.number, 0, nothing},
                  copy.time,
                  worker);
  return first;
}

void ReliableTransport::on_acknowledgement(const Event& copy, NodeState& sender) {
  add(acknowledged_,
      links_.map().link(copy.node, copy.source),
      copy.number,
      sender,
      &NodeState::Extras::early_acknowledged);
}

void ReliableTransport::forget_sent(NodeId from, NodeState& sender, NodeId to) {
  const LinkId link = links_.map().link(from, to);
  for (auto number = acknowledged_.first_missing(link.value); number < next_number_[link.value];
       ++number)
    add(acknowledged_, link, number, sender, &NodeState::Extras::early_acknowledged);
}

void ReliableTransport::receive_from(NodeId from,
                                     NodeId to,
                                     std::uint32_t number,
                                     NodeState& receiver) {
  const std::uint32_t link = links_.map().link(from, to).value;
  received_.begin_at(link, number);
  if (!receiver.extras) return;
  std::erase_if(receiver.extras->early_received,
                [link](const auto& early) { return early.first == link; });
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
  add(acknowledged_,
      links_.map().link(event.node, to),
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
  const std::uint32_t link = links_.map().link(from, to).value;
  const auto acknowledged = [&] { return sender.early(&NodeState::Extras::early_acknowledged); };
  const auto received = [&] { return receiver.early(&NodeState::Extras::early_received); };
  for (auto number = acknowledged_.first_missing(link); number < next_number_[link]; ++number)
    if (!acknowledged_.contains(link, number, acknowledged) &&
        !received_.contains(link, number, received))
      return !links_.network().cut_for_good(from, to, now);
  return false;
}

Duration ReliableTransport::wait(std::uint32_t tries) const {
  double wait = rule_.timeout.to_seconds();
  const double most = rule_.max_timeout.to_seconds();
  for (std::uint32_t i = 0; i < tries && wait < most; ++i) wait *= rule_.backoff;
  return Duration::seconds(std::min(wait, most));
}

}  // namespace posse
