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

ReliableTransport::ReliableTransport(TimeOuts timeouts,
                                     const Retransmission& rule,
                                     bool foresees,
                                     LinkLayer& links,
                                     ReachedBranches& reached)
    : rule_(rule),
      foresees_(foresees),
      lead_(std::max(links.network().lookahead().value_or(Duration{}), Duration{1})),
      links_(links),
      timeouts_(std::move(timeouts)),
      measures_(timeouts_.any_measured()),
      round_trips_(rule, measures_ ? links.map().links() : 0),
      reached_(reached) {}

Duration ReliableTransport::wait(LinkId link, const Payload& payload, std::uint32_t tries) const {
  if (measures_ && timeouts_.rule(link) == TimeOut::Rule::measured) {
    if (const auto measured = round_trips_.wait(link)) return *measured;
    tries = round_trips_.expiries(link);
  }
  return timeouts_.wait(link, links_.size_bytes(payload), tries);
}

void ReliableTransport::transmit(Transmission&& message,
                                 NodeState& sender,
                                 Time now,
                                 Worker& worker) {
  const LinkId link = links_.map().link(message.from, message.to);
  const TimeOut::Rule rule = timeouts_.rule(link);
  const bool measured = rule == TimeOut::Rule::measured;
  const Duration time = wait(link, message.payload, message.tries);
  const std::uint32_t sequence = ++sender.counter;
  // Nothing but this copy decides what the next check finds.
  const bool decides = foresees_ && !measured && message.forecast == AckForecast::nothing_in_flight;
  if (decides && message.tries <= 1) {
    message.foreseen_until = ForeseenUntil(std::min(now + time - lead_, now + kLongestWatched));
    message.foreseen_unqueued = rule != TimeOut::Rule::stated;
    message.check_sequence = sequence;
  }
  const Passage passage = links_.transmit(message, now, worker);
  if (passage.is_foreseen()) return;  // the receiver plans the check
  const Time check = (rule == TimeOut::Rule::stated ? now : message.cleared) + time;
  if (message.forecast == AckForecast::before_next_check) {
    worker.last_wait = std::max(worker.last_wait, check);
    return;
  }
  if (measured) round_trips_.sent(link, message.number, message.tries > 0, message.cleared);
  auto forecast = AckForecast::unknown;
  if (decides && passage.is_lost()) {
    forecast = AckForecast::nothing_in_flight;
    reached_.add(Branch::copy_lost_while_watched);
  } else if (message.forecast != AckForecast::unknown) {
    open(link, message.number, sender);  // for the first check that looks for an acknowledgement
  }
  worker.sink->emit(check_event(message.from,
                                check,
                                {message.to, message.tries + 1, forecast},
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
  if (const auto* watched = std::get_if<WatchedArrival>(&copy.kind)) {
    acknowledge_watched(copy, *watched, departed, worker);
  } else if (std::holds_alternative<RedundantArrival>(copy.kind)) {
    if (const auto acknowledged = links_.acknowledge(copy, ForeseenUntil::always(), worker))
      worker.last_wait = std::max(worker.last_wait, *acknowledged);
  } else {
    links_.acknowledge(copy, ForeseenUntil{}, worker);
  }
  return first;
}

void ReliableTransport::acknowledge_watched(const Event& copy,
                                            const WatchedArrival& watched,
                                            Time departed,
                                            Worker& worker) {
  const std::uint32_t tries = copy.tries + 1u;  // transmissions before the first check
  const LinkId there = links_.map().link(copy.source, copy.node);
  AckChecks checks{.acknowledgement_first = copy.node < copy.source};
  checks.first = departed + wait(there, copy.payload, tries - 1);
  checks.second = checks.first + wait(there, copy.payload, tries);
  const ForeseenUntil foreseen_until(checks.latest_for(checks.second));
  const auto acknowledged = links_.acknowledge(copy, foreseen_until, worker);
  if (checks.first_finds(acknowledged)) {
    worker.last_wait = std::max(worker.last_wait, checks.first);
    return reached_.add(Branch::acknowledged_in_time);
  }
  const AckForecast forecast = checks.at_first(acknowledged);
  if (forecast == AckForecast::before_next_check) {
    reached_.add(Branch::acknowledged_before_next_check);
    const bool again = tries < rule_.max_tries;
    worker.last_wait = std::max(worker.last_wait, again ? checks.second : *acknowledged);
    if (again) links_.foresee_needless(copy, departed, *acknowledged, worker);
  } else {
    reached_.add(acknowledged ? Branch::acknowledged_later : Branch::acknowledgement_lost);
  }
  worker.sink->emit(check_event(copy.source,
                                checks.first,
                                {copy.node, tries, forecast},
                                watched.check_sequence,
                                copy.type,
                                copy.round,
                                copy.number,
                                copy.payload));
}

void ReliableTransport::open(LinkId end, std::uint32_t number, NodeState& sender) {
  links_.ends().open(end).insert(
      end.value, number, [&]() -> OpenNumbers::Others& { return sender.make_extras().open; });
}

void ReliableTransport::close(LinkId end, std::uint32_t number, NodeState& sender) {
  links_.ends().open(end).erase(end.value, number, sender.extras ? &sender.extras->open : nullptr);
}

void ReliableTransport::on_acknowledgement(const Event& copy, NodeState& sender, Worker& worker) {
  reached_.add(Branch::acknowledgement_as_event);
  const LinkId link = links_.map().link(copy.node, copy.source);
  close(link, copy.number, sender);
  if (measures_ && timeouts_.rule(link) == TimeOut::Rule::measured)
    round_trips_.acknowledged(link, copy.number, copy.time);
  if (!sender.extras || !sender.extras->repeated) return;
  if (const auto needless = sender.extras->repeated->acknowledged(link, copy.number, copy.tries))
    links_.book_needless(copy, *needless, worker);
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
  if (measures_) round_trips_.forget(end);
  if (sender.extras && sender.extras->repeated) sender.extras->repeated->forget(end);
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
  if (measures_ && timeouts_.rule(end) == TimeOut::Rule::measured)
    round_trips_.expired(end, event.number);
  if (tries < rule_.max_tries) {
    Transmission again{event.node, to, event.type, event.round, event.number, tries, event.payload};
    again.forecast = check.forecast;
    if (check.forecast != AckForecast::before_next_check) keep_record(event, tries, end, sender);
    return transmit(std::move(again), sender, event.time, worker);
  }
  reached_.add(Branch::gave_up);
  close(end, event.number, sender);
  if (measures_) round_trips_.gave_up(end, event.number);
  // Earlier messages on the link were received or given up before.
  give_up_below(end, event.number + 1, sender);
  worker.lost.add({first_sent(event, tries, end),
                   event.node,
                   to,
                   event.type,
                   event.round,
                   DropCause::none,
                   tries});
}

void ReliableTransport::keep_record(const Event& check,
                                    std::uint32_t tries,
                                    LinkId link,
                                    NodeState& sender) {
  auto& repeated = sender.make_extras().repeated;
  if (!repeated) repeated = std::make_unique<RepeatedMessages>();
  constexpr std::size_t kFewest = 16, kPerLink = 2;
  const std::size_t kept = kFewest + kPerLink * links_.map().degree(check.node);
  repeated->sent(
      {first_sent(check, tries, link), check.type, tries, tries}, link, check.number, kept);
}

Time ReliableTransport::first_sent(const Event& check, std::uint32_t tries, LinkId link) const {
  if (check.payload.path()) return check.payload.path().until();
  Duration waits;
  for (std::uint32_t i = 0; i < tries; ++i) waits += wait(link, check.payload, i);
  return Time{check.time.ns - waits.ns};
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

}  // namespace posse
