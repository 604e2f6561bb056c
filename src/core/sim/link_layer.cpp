// SPDX-License-Identifier: Apache-2.0
#include "core/sim/link_layer.hpp"

#include <algorithm>
#include <utility>

namespace posse {
namespace {

void note_trip(const ForeseenNeedless& repetition, Worker& worker) {
  Duration& longest = worker.ledger.of(repetition.type, repetition.direction).needless_trip;
  longest = std::max(longest, repetition.trip);
}

void count_drop(CopyCounts& count, DropCause cause) {
  switch (cause) {
    case DropCause::loss:
      ++count.dropped_loss;
      break;
    case DropCause::queue:
      ++count.dropped_queue;
      break;
    case DropCause::partition:
      ++count.dropped_partition;
      break;
    case DropCause::crash:
      ++count.dropped_crash;
      break;
    case DropCause::none:
      break;
  }
}

}  // namespace

Network make_network(const NetworkConfig& config,
                     const SimulationSpec& spec,
                     const Nodes& nodes,
                     const MessageTypes& types) {
  const Topology topology = topology_of(*spec.algorithm, *spec.protocol);
  return Network(config,
                 spec.compute,
                 nodes,
                 LinkMap(topology, nodes.size(), edges_of(topology, nodes.groups())),
                 types.names(),
                 spec.seed);
}

LinkLayer::LinkLayer(const SimulationSpec& spec, const Nodes& nodes, const MessageTypes& types)
    : spec_(spec),
      types_(types),
      wire_(spec.network.wire ? &wire_format(*spec.network.wire) : nullptr),
      repeats_lost_(spec.network.transport == Transport::reliable),
      traces_(spec.trace_messages || spec.recent_messages),
      network_(make_network(spec.network, spec, nodes, types)),
      ends_(map().links(), types.size(), spec.network.transport == Transport::reliable),
      ledger_(map(), ends_, nodes.size() <= kMostNodesWithLinks) {}

Passage LinkLayer::transmit(Transmission& message, Time now, Worker& worker) {
  const auto bytes = size_bytes(message.payload);
  const LinkId link = map().link(message.from, message.to);
  auto& count = worker.ledger.of(message.type, map().direction(message.from, message.to));
  RoundCount& totals = worker.ledger.round(message.round);
  if (message.tries > 0) {
    ++count.repeated;
  } else {
    ++count.sent;
    count.bytes += bytes;
    if (message.payload) {
      count.header_bytes += bytes - message.payload.size_bytes();
      count.values += message.payload.values();
      ++totals.messages;
      totals.bytes += bytes;
      totals.values += message.payload.values();
    }
  }
  const std::uint32_t number = depart(link, message.type, bytes, now, count);
  message.cleared = now;
  if (!network_.only_draws(link)) return pass_lines(message, link, number, now, worker);
  const auto latency = network_.draw(message.from, message.to, link, number);
  if (!latency) {
    drop(message, link, number, now, DropCause::loss, worker);
    return Passage::lost();
  }
  worker.ledger.add_time(totals, &RoundCount::propagation, *latency);
  return emit(message, number, now, now + *latency, *latency, worker);
}

std::optional<Time> LinkLayer::acknowledge(const Event& copy,
                                           ForeseenUntil foreseen_until,
                                           Worker& worker) {
  const NodeId from = copy.node, to = copy.source;
  const LinkId link = map().link(from, to);
  const std::uint16_t type = types_.acknowledgement();
  const Time now = copy.time;
  if (foreseen_until.covers(now) && network_.only_draws(link)) {
    const auto latency = network_.draw(from, to, link, ends_.transmissions(link));
    if (latency && foreseen_until.covers(now + *latency)) {  // mostly
      const Time arrival = now + *latency;
      const auto bytes = size_bytes({});
      const Direction direction = map().direction(from, to);
      auto& count = worker.ledger.of(type, direction);
      ++count.sent;
      count.bytes += bytes;
      depart(link, type, bytes, now, count);
      worker.ledger.add_time(copy.round, &RoundCount::propagation, *latency);
      foresee(link, direction, now, arrival, worker);
      return arrival;
    }
  }
  Transmission acknowledgement{
      .from = from, .to = to, .type = type, .round = copy.round, .number = copy.number};
  acknowledgement.foreseen_until = foreseen_until;
  acknowledgement.acknowledged = copy.tries;
  return transmit(acknowledgement, now, worker).arrival();
}

std::uint32_t LinkLayer::depart(
    LinkId link, std::uint16_t type, std::uint64_t bytes, Time now, CopyCounts& count) {
  const std::uint32_t number = ends_.transmissions(link)++;
  const std::uint64_t handshake = number == 0 && wire_ != nullptr
                                      ? wire_->handshake_bytes(map().from(link), map().to(link))
                                      : 0;
  count.wire_bytes += bytes + handshake;
  if (answered_at_ && now > *answered_at_) {
    ++count.after_finish;
    count.after_finish_bytes += bytes;
  }
  ledger_.departed(link, type, bytes + handshake);
  return number;
}

Passage LinkLayer::emit(Transmission& message,
                        std::uint32_t number,
                        Time now,
                        Time arrival,
                        Duration propagation,
                        Worker& worker) {
  const bool watched = message.foreseen_until.covers(arrival);
  const bool redundant = message.forecast == AckForecast::before_next_check;
  Event copy = copy_of(message, number, now, arrival, repeats_lost_ && !watched && !redundant);
  if (watched)
    copy.kind =
        WatchedArrival{static_cast<std::uint32_t>((arrival - now).ns), message.check_sequence};
  else if (redundant)
    copy.kind = RedundantArrival{now};
  worker.sink->emit_copy(std::move(copy), propagation);
  return watched ? Passage::foreseen(arrival) : Passage::on_its_way(arrival);
}

Event LinkLayer::copy_of(
    Transmission& message, std::uint32_t number, Time now, Time arrival, bool keeps) const {
  Event copy;
  copy.time = arrival;
  copy.node = message.to;
  copy.source = message.from;
  copy.kind = ArrivalEvent{now};
  copy.type = message.type;
  copy.sequence = number;
  copy.round = message.round;
  copy.number = message.number;
  if (repeats_lost_)
    copy.tries = static_cast<std::uint8_t>(message.payload
                                               ? std::min<std::uint32_t>(message.tries, kManyTries)
                                               : message.acknowledged);
  copy.payload = keeps ? message.payload : std::move(message.payload);
  return copy;
}

void LinkLayer::drop(Transmission& message,
                     LinkId link,
                     std::uint32_t number,
                     Time now,
                     DropCause cause,
                     Worker& worker) {
  drop_on_link(link, copy_of(message, number, now, Time{}, repeats_lost_), now, cause, worker);
  if (!repeats_lost_) lose(message, now, cause, worker);
}

Passage LinkLayer::pass_lines(
    Transmission& message, LinkId link, std::uint32_t number, Time now, Worker& worker) {
  const Network::Attempt attempt{.from = message.from,
                                 .to = message.to,
                                 .link = link,
                                 .type = message.type,
                                 .round = message.round,
                                 .bytes = size_bytes(message.payload),
                                 .sent = now,
                                 .leaves = now,
                                 .first = message.tries == 0};
  const Fate fate = fate_of(attempt, number, worker);
  if (fate.cause != DropCause::queue) message.cleared = fate.cleared;
  if (message.foreseen_unqueued && message.cleared > now) message.foreseen_until = {};
  // A message that did not leave its sender's queue cannot be copied by the network.
  if (fate.cause != DropCause::queue && network_.duplicates(attempt, number)) {
    return transmit_twice(message, attempt, number, fate, worker);
  }
  if (fate.cause != DropCause::none) {
    drop(message, link, number, now, fate.cause, worker);
    return Passage::lost();
  }
  if (message.type == types_.acknowledgement() && message.foreseen_until.covers(fate.arrival)) {
    foresee(link, map().direction(message.from, message.to), now, fate.arrival, worker);
    return Passage::foreseen(fate.arrival);
  }
  // Time on the lines is part of a message's path, which is followed here.
  if (waited(fate, now) && message.payload && message.payload.path()) {
    worker.sink->emit_copy(copy_of(message, number, now, fate, repeats_lost_), fate.propagation);
    return Passage::on_its_way(fate.arrival);
  }
  return emit(message, number, now, fate.arrival, fate.propagation, worker);
}

Fate LinkLayer::fate_of(const Network::Attempt& attempt, std::uint32_t number, Worker& worker) {
  const Fate fate = network_.transmit(attempt, number);
  worker.ledger.add_time(attempt.round, &RoundCount::queueing, fate.queueing);
  worker.ledger.add_time(attempt.round, &RoundCount::transfer, fate.transfer);
  if (fate.cause == DropCause::none)
    worker.ledger.add_time(attempt.round, &RoundCount::propagation, fate.propagation);
  return fate;
}

Event LinkLayer::copy_of(
    Transmission& message, std::uint32_t number, Time now, const Fate& fate, bool keeps) const {
  Event copy = copy_of(message, number, now, fate.arrival, keeps);
  if (fate.cause == DropCause::none && waited(fate, now) && copy.payload && copy.payload.path())
    follow_lines(copy, now, fate);
  return copy;
}

Passage LinkLayer::transmit_twice(Transmission& message,
                                  const Network::Attempt& attempt,
                                  std::uint32_t number,
                                  const Fate& fate,
                                  Worker& worker) {
  const auto [link, now] = std::pair(attempt.link, attempt.sent);
  Event original = copy_of(message, number, now, fate, true);
  const bool original_passes = fate.cause == DropCause::none;
  if (!original_passes) drop_on_link(link, original, now, fate.cause, worker);
  auto& count = worker.ledger.of(message.type, map().direction(message.from, message.to));
  ++count.duplicated;
  Network::Attempt again = attempt;
  again.copy = true;
  again.leaves = fate.cleared;
  const auto number_of_copy = depart(link, message.type, attempt.bytes, now, count);
  const Fate fate_of_copy = fate_of(again, number_of_copy, worker);
  Event copy = copy_of(message, number_of_copy, now, fate_of_copy, repeats_lost_);
  const bool copy_passes = fate_of_copy.cause == DropCause::none;
  if (!copy_passes) drop_on_link(link, copy, now, fate_of_copy.cause, worker);
  if (original_passes && copy_passes && !repeats_lost_) {
    original.tries = static_cast<std::uint8_t>(Pair::first);
    copy.tries = static_cast<std::uint8_t>(Pair::second);
  }
  if (copy_passes) worker.sink->emit_copy(std::move(copy), fate_of_copy.propagation);
  if (original_passes) worker.sink->emit_copy(std::move(original), fate.propagation);
  if (!original_passes && !copy_passes && !repeats_lost_) lose(message, now, fate.cause, worker);
  if (!original_passes && !copy_passes) return Passage::lost();
  return Passage::on_its_way(!copy_passes       ? fate.arrival
                             : !original_passes ? fate_of_copy.arrival
                                                : std::min(fate.arrival, fate_of_copy.arrival));
}

void LinkLayer::drop_on_link(
    LinkId link, const Event& copy, Time departed, DropCause cause, Worker& worker) {
  ledger_.dropped(link, copy.type);
  book_drop(copy, departed, cause, worker);
}

void LinkLayer::lose(const Transmission& message, Time sent, DropCause cause, Worker& worker) {
  worker.lost.add({sent, message.from, message.to, message.type, message.round, cause});
}

void LinkLayer::foresee(LinkId link, Direction direction, Time now, Time arrival, Worker& worker) {
  ++worker.ledger.of(types_.acknowledgement(), direction).delivered;
  worker.ledger.latency(direction).add(arrival - now);
  ++worker.deliveries;
  worker.last_acknowledgement = std::max(worker.last_acknowledgement, arrival);
  ledger_.foreseen(link);
  if (worker.foreseen.size() >= worker.foreseen_to_keep) forget_arrived(now, worker);
  worker.foreseen.push_back({arrival, now, link, direction});
}

void LinkLayer::forget_arrived(Time now, Worker& worker) const {
  // Nodes are ahead of one another by less than the lookahead.
  const Time settled = now - *network_.lookahead();
  const auto has_arrived = [settled](const auto& each) { return each.arrival <= settled; };
  std::erase_if(worker.foreseen, has_arrived);
  for (const ForeseenNeedless& each : worker.foreseen_needless)
    if (has_arrived(each)) note_trip(each, worker);
  std::erase_if(worker.foreseen_needless, has_arrived);
  constexpr std::size_t kFewest = 1024;
  worker.foreseen_to_keep = std::max(kFewest, 3 * worker.foreseen.size());
}

void LinkLayer::take_back_foreseen(const Worker& worker, Time until, Ledger& ledger) const {
  for (const ForeseenArrival& each : worker.foreseen) {
    if (each.arrival <= until) continue;
    auto& count = ledger.of(types_.acknowledgement(), each.direction);
    --count.delivered;
    ++count.in_flight;
    ledger.latency(each.direction).take_back(each.arrival - each.departed);
  }
  for (const ForeseenNeedless& each : worker.foreseen_needless) {
    if (each.arrival <= until) continue;
    --ledger.of(each.type, each.direction).needless;
  }
}

void LinkLayer::conclude_foreseen(Time until, Worker& worker) {
  take_back_foreseen(worker, until, worker.ledger);
  for (const ForeseenArrival& each : worker.foreseen) {
    if (each.arrival <= until) continue;
    --worker.deliveries;
    ledger_.foreseen_in_flight(each.link);
  }
  for (const ForeseenNeedless& each : worker.foreseen_needless) {
    if (each.arrival > until)
      --worker.ledger.round(each.round).needless;
    else
      note_trip(each, worker);
  }
  worker.foreseen.clear();
  worker.foreseen_needless.clear();
}

void LinkLayer::book_needless(const Event& acknowledgement,
                              const RepeatedMessages::Needless& which,
                              Worker& worker) const {
  const NodeId from = acknowledgement.node, to = acknowledgement.source;
  CopyCounts& count = worker.ledger.of(which.type, map().direction(from, to));
  count.needless += which.count();
  if (which.first == 1)
    count.needless_trip = std::max(count.needless_trip, acknowledgement.time - which.sent);
  worker.ledger.round(acknowledgement.round).needless += which.count();
  if (spec_.trace_messages)
    worker.needless.push_back({from, to, acknowledgement.number, which.first, which.last});
}

void LinkLayer::foresee_needless(const Event& copy,
                                 Time departed,
                                 Time arrival,
                                 Worker& worker) const {
  const Direction direction = map().direction(copy.source, copy.node);
  ++worker.ledger.of(copy.type, direction).needless;
  ++worker.ledger.round(copy.round).needless;
  worker.foreseen_needless.push_back({arrival,
                                      copy.tries == 0 ? arrival - departed : Duration{},
                                      copy.type,
                                      copy.round,
                                      direction});
}

void LinkLayer::follow_lines(Event& copy, Time departed, const Fate& fate) {
  Path path = copy.payload.path();
  const auto add = [&](PathPart part, Time until) { path.extend(part, copy.source, until); };
  add(PathPart::retransmission, departed);
  add(PathPart::queueing, fate.arrival - fate.propagation - fate.transfer);
  add(PathPart::transfer, fate.arrival - fate.propagation);
  add(PathPart::propagation, fate.arrival);
  copy.payload = std::move(copy.payload).with_path(std::move(path));
}

void LinkLayer::receive(Event&& copy, Time departed, NodeState& receiver, Worker& worker) {
  const auto fate = network_.receive(copy.node, copy.time, size_bytes(copy.payload));
  worker.ledger.add_time(copy.round, &RoundCount::queueing, fate.queueing);
  worker.ledger.add_time(copy.round, &RoundCount::transfer, fate.transfer);
  if (fate.cause == DropCause::none) {
    if (copy.payload && copy.payload.path()) {
      Path path = path_of(copy, departed, copy.payload.path());
      path.extend(PathPart::queueing, copy.source, copy.time + fate.queueing);
      path.extend(PathPart::transfer, copy.source, fate.arrival);
      copy.payload = std::move(copy.payload).with_path(std::move(path));
    }
    copy.kind = DeliveryEvent{departed};
    copy.time = fate.arrival;
    return worker.sink->emit(std::move(copy));
  }
  drop_at_receiver(copy, departed, fate.cause, receiver, worker);
}

void LinkLayer::drop_at_receiver(
    const Event& copy, Time departed, DropCause cause, NodeState& receiver, Worker& worker) {
  ledger_.arrived(map().link(copy.node, copy.source), copy.type);
  book_drop(copy, departed, cause, worker);
  if (!repeats_lost_ && (copy.pair() == Pair::none || both_are_dropped(copy, true, receiver)))
    worker.lost.add({departed, copy.source, copy.node, copy.type, copy.round, cause});
}

bool LinkLayer::both_are_dropped(const Event& copy, bool dropped, NodeState& receiver) {
  const std::uint32_t first = copy.sequence - (copy.pair() == Pair::second ? 1 : 0);
  auto& halves = receiver.make_extras().half_pairs;
  const auto other = std::find_if(halves.begin(), halves.end(), [&](const auto& half) {
    return half.source == copy.source && half.first == first;
  });
  if (other == halves.end()) {
    halves.push_back({copy.source, first, dropped});
    return false;
  }
  const bool both = dropped && other->dropped;
  halves.erase(other);
  return both;
}

void LinkLayer::book_drop(const Event& copy, Time departed, DropCause cause, Worker& worker) {
  count_drop(worker.ledger.of(copy.type, map().direction(copy.source, copy.node)), cause);
  trace(copy, departed, MessageOutcome::dropped, cause, worker);
}

void LinkLayer::book_in_flight(const Event& copy, Time departed, Worker& worker) {
  ++worker.ledger.of(copy.type, map().direction(copy.source, copy.node)).in_flight;
  ledger_.in_flight(map().link(copy.source, copy.node), copy.type);
  trace(copy, departed, MessageOutcome::in_flight, DropCause::none, worker);
}

void LinkLayer::keep_record(const Event& copy,
                            Time departed,
                            MessageOutcome outcome,
                            DropCause cause,
                            std::uint32_t order,
                            Worker& worker) {
  const auto fill_in = [&](MessageRecord& record) {
    record.id = copy.sequence;  // until conclude() numbers them all
    record.type = types_.name(copy.type);
    record.round = copy.round;
    record.from = copy.source;
    record.to = copy.node;
    record.bytes = size_bytes(copy.payload);
    record.sent = departed;
    record.delivered = copy.time;
    record.outcome = outcome;
    record.cause = cause;
    record.transmission = copy.sequence;
    record.number = copy.number;
    record.tries = copy.payload && repeats_lost_ ? copy.tries : std::uint8_t{0};
    record.order = order;
    record.content = copy.payload ? copy.payload.hash() : 0;
  };
  if (spec_.recent_messages) fill_in(worker.recent.next());
  if (spec_.trace_messages) fill_in(worker.messages.emplace_back());
}

}  // namespace posse
