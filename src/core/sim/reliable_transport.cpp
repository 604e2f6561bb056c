// SPDX-License-Identifier: Apache-2.0
#include "core/sim/reliable_transport.hpp"

#include <algorithm>
#include <utility>

namespace posse {
namespace {

/// The check for the acknowledgement of a message of `from`.
Event check_event(NodeId from,
                  Time time,
                  RetransmitEvent check,
                  std::uint32_t sequence,
                  std::uint16_t type,
                  Round round,
                  std::uint32_t number,
                  Payload payload) {
  Event event;
  event.time = time;
  event.node = event.source = from;
  event.kind = check;
  event.sequence = sequence;
  event.type = type;
  event.round = round;
  event.number = number;
  event.payload = std::move(payload);
  return event;
}

}  // namespace

ReliableTransport::ReliableTransport(const Retransmission& rule,
                                     bool foresees,
                                     LinkLayer& links,
                                     ReachedBranches& reached)
    : rule_(rule),
      waits_{later_wait(0), later_wait(1), later_wait(2)},
      foresees_(foresees),
      lead_(std::max(links.network().lookahead().value_or(Duration{}), Duration{1})),
      links_(links),
      reached_(reached) {}

void ReliableTransport::transmit(Transmission&& message,
                                 NodeState& sender,
                                 Time now,
                                 Worker& worker) {
  const Time check = now + wait(message.tries);
  const std::uint32_t sequence = ++sender.counter;
  if (foresees_ && message.alone && message.tries <= 1) {
    message.in_time = std::min(check - lead_, now + kLongestWatched);
    message.check_sequence = sequence;
  }
  const Passage passage = links_.transmit(message, now, worker);
  if (passage == Passage::in_time || message.spare) return;
  const bool all_is_lost = foresees_ && message.alone && passage == Passage::lost;
  if (all_is_lost) reached_.add(Branch::copy_lost_while_watched);
  if (message.alone && !all_is_lost)
    open(links_.map().link(message.from, message.to), message.number, sender);
  const Outlook outlook = all_is_lost ? Outlook::all_is_lost : Outlook::open;
  worker.sink->emit(check_event(message.from,
                                check,
                                {message.to, message.tries + 1, outlook},
                                sequence,
                                message.type,
                                message.round,
                                message.number,
                                std::move(message.payload)));
}

bool ReliableTransport::receive(const Event& copy,
                                Time departed,
                                NodeState& receiver,
                                Worker& worker) {
  const LinkId end = links_.map().link(copy.node, copy.source);
  SequenceSet& received = links_.ends().received(end);
  const SequenceSet::Early* const early =
      receiver.extras ? &receiver.extras->early_received : nullptr;
  const bool first = !received.contains(end.value, copy.number, [early] { return early; });
  if (first && copy.number != received.first_missing()) reached_.add(Branch::received_out_of_order);
  if (first)
    received.insert(end.value, copy.number, early, [&]() -> SequenceSet::Early& {
      return receiver.make_extras().early_received;
    });
  // Every copy is acknowledged, since earlier acknowledgements may have been lost.
  const WatchedArrival* const watched = as_watched(copy);
  if (watched == nullptr) {
    const bool spare = std::holds_alternative<SpareArrival>(copy.kind);
    const Time arrival = links_.acknowledge(copy, spare ? Time::max() : Time{-1}, worker);
    if (spare && arrival != Time::max()) worker.last_wait = std::max(worker.last_wait, arrival);
    return first;
  }
  const std::uint32_t tries = std::holds_alternative<WatchedRepetition>(copy.kind) ? 2 : 1;
  const Time check = departed + wait(tries - 1), next_check = check + wait(tries);
  // Events at the same time come in the order of their sources.
  const Duration before{copy.node < copy.source ? 0 : 1};
  const Time arrival = links_.acknowledge(copy, next_check - before, worker);
  const bool lost = arrival == Time::max();
  if (!lost && arrival <= check - before) {
    worker.last_wait = std::max(worker.last_wait, check);
    reached_.add(Branch::acknowledged_in_time);
    return first;
  }
  reached_.add(lost ? Branch::acknowledgement_lost : Branch::acknowledged_later);
  auto outlook = lost ? Outlook::all_is_lost : Outlook::in_vain;
  if (!lost && arrival <= next_check - before) {
    outlook = Outlook::last;
    reached_.add(Branch::acknowledged_before_next_check);
    worker.last_wait = std::max(worker.last_wait, tries < rule_.max_tries ? next_check : arrival);
  }
  worker.sink->emit(check_event(copy.source,
                                check,
                                {copy.node, tries, outlook},
                                watched->check_sequence,
                                copy.type,
                                copy.round,
                                copy.number,
                                copy.payload));
  return first;
}

void ReliableTransport::open(LinkId end, std::uint32_t number, NodeState& sender) {
  links_.ends().open(end).insert(
      end.value, number, [&]() -> OpenNumbers::Others& { return sender.make_extras().open; });
}

void ReliableTransport::close(LinkId end, std::uint32_t number, NodeState& sender) {
  links_.ends().open(end).erase(end.value, number, sender.extras ? &sender.extras->open : nullptr);
}

void ReliableTransport::on_acknowledgement(const Event& copy, NodeState& sender) {
  reached_.add(Branch::acknowledgement_as_event);
  close(links_.map().link(copy.node, copy.source), copy.number, sender);
}

void ReliableTransport::give_up_below(LinkId end, std::uint32_t number, NodeState& sender) {
  auto& given_up = sender.make_extras().given_up;
  const auto at =
      std::lower_bound(given_up.begin(), given_up.end(), std::pair{end.value, std::uint32_t{0}});
  if (at != given_up.end() && at->first == end.value)
    at->second = std::max(at->second, number);
  else
    given_up.insert(at, {end.value, number});
}

void ReliableTransport::forget_sent(NodeId from, NodeState& sender, NodeId to) {
  reached_.add(Branch::forgot_sent);
  const LinkId end = links_.map().link(from, to);
  links_.ends().open(end).clear(end.value, sender.extras ? &sender.extras->open : nullptr);
  give_up_below(end, links_.ends().next_number(end), sender);
}

std::uint32_t ReliableTransport::first_unacknowledged(NodeId from,
                                                      const NodeState& sender,
                                                      NodeId to) const {
  const LinkId end = links_.map().link(from, to);
  return links_.ends()
      .open(end)
      .smallest(end.value, sender.extras ? &sender.extras->open : nullptr)
      .value_or(links_.ends().next_number(end));
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
  const NodeId to = check.to;
  const std::uint32_t tries = check.tries;
  if (is_void(event, check, sender)) return;
  const LinkId end = links_.map().link(event.node, to);
  if (tries < rule_.max_tries) {
    Transmission again{event.node, to, event.type, event.round, event.number, tries, event.payload};
    again.alone = check.outlook() == Outlook::all_is_lost;
    again.spare = check.outlook() == Outlook::last;
    if (check.outlook() == Outlook::in_vain) open(end, event.number, sender);
    return transmit(std::move(again), sender, event.time, worker);
  }
  reached_.add(Branch::gave_up);
  close(end, event.number, sender);
  // Those before it on the link were received or given up before.
  give_up_below(end, event.number + 1, sender);
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
  const SequenceSet& there = links_.ends().received(back);
  std::uint32_t number = there.first_missing();
  if (sender.extras)
    for (const auto& [end, below] : sender.extras->given_up)
      if (end == sent.value) number = std::max(number, below);
  const SequenceSet::Early* const early =
      receiver.extras ? &receiver.extras->early_received : nullptr;
  for (; number < links_.ends().next_number(sent); ++number)
    if (!there.contains(back.value, number, [early] { return early; }))
      return !links_.network().cut_for_good(from, to, now);
  return false;
}

Duration ReliableTransport::later_wait(std::uint32_t tries) const {
  double wait = rule_.timeout.to_seconds();
  const double most = rule_.max_timeout.to_seconds();
  for (std::uint32_t i = 0; i < tries && wait < most; ++i) wait *= rule_.backoff;
  return Duration::seconds(std::min(wait, most));
}

}  // namespace posse
