// SPDX-License-Identifier: Apache-2.0
#include "core/sim/link_layer.hpp"

#include <algorithm>
#include <utility>

namespace posse {
namespace {

void count_drop(Ledger::Count& count, DropCause cause) {
  switch (cause) {
    case DropCause::loss:
      ++count.lost;
      break;
    case DropCause::queue:
      ++count.queue;
      break;
    case DropCause::partition:
      ++count.partition;
      break;
    case DropCause::crash:
      ++count.crash;
      break;
    case DropCause::none:
      break;
  }
}

}  // namespace

LinkLayer::LinkLayer(const SimulationSpec& spec, const Nodes& nodes, const MessageTypes& types)
    : spec_(spec),
      types_(types),
      wire_(spec.network.wire ? &wire_format(*spec.network.wire) : nullptr),
      repeats_lost_(spec.network.transport == Transport::reliable),
      traces_(spec.trace_messages || spec.recent_messages),
      network_(spec.network,
               spec.compute,
               nodes,
               LinkMap(topology_of(*spec.algorithm, *spec.protocol),
                       nodes.size(),
                       edges_of(topology_of(*spec.algorithm, *spec.protocol), nodes.groups())),
               types.names(),
               spec.seed),
      ends_(map().links(), types.size(), spec.network.transport == Transport::reliable),
      ledger_(map(), ends_, nodes.size() <= kMostNodesWithLinks) {}

bool LinkLayer::transmit(Transmission& message, Time now, Worker& worker) {
  const auto bytes = size_bytes(message.payload);
  auto& count = worker.ledger.of(message.type, map().direction(message.from, message.to));
  const bool repeated = message.tries > 0;
  if (repeated) {
    ++count.repeated;
  } else {
    ++count.sent;
    count.bytes += bytes;
    if (message.payload) {
      count.header_bytes += bytes - message.payload.size_bytes();
      count.values += message.payload.values();
      RoundCount& totals = worker.ledger.round(message.round);
      ++totals.messages;
      totals.bytes += bytes;
      totals.values += message.payload.values();
    }
  }
  Network::Attempt attempt{message.from,
                           message.to,
                           map().link(message.from, message.to),
                           message.type,
                           message.round,
                           bytes,
                           now,
                           now,
                           !repeated,
                           false};
  const auto number = ends_.transmissions(attempt.link)++;
  const Fate fate = depart(attempt, number, worker);
  const bool passes = fate.cause == DropCause::none;
  bool in_time = passes && fate.arrival <= message.in_time;
  if (in_time && message.type == types_.acknowledgement()) {
    foresee(attempt.link, message, now, fate.arrival, worker);
    return true;
  }
  // A message that did not leave its sender's queue cannot be copied by the network.
  if (fate.cause != DropCause::queue && network_.duplicates(attempt, number)) {
    transmit_twice(message, attempt, number, fate, worker);
    return false;
  }
  // Time on the lines is part of a message's path, which is followed here.
  in_time = in_time && !(waited(fate, now) && message.payload && message.payload.path());
  Event event = copy_of(message, now, number, fate, repeats_lost_ && !in_time);
  if (in_time)
    event.kind =
        WatchedArrival{static_cast<std::uint32_t>((fate.arrival - now).ns), message.check_sequence};
  if (passes) {
    worker.sink->emit_copy(std::move(event), fate.propagation);
  } else {
    drop_on_link(attempt.link, event, now, fate.cause, worker);
    if (!repeats_lost_) lose(message, now, fate.cause, worker);
  }
  return in_time;
}

void LinkLayer::transmit_twice(Transmission& message,
                               Network::Attempt& attempt,
                               std::uint32_t number,
                               const Fate& fate,
                               Worker& worker) {
  const Time now = attempt.sent;
  Event original = copy_of(message, now, number, fate, true);
  const bool original_passes = fate.cause == DropCause::none;
  if (!original_passes) drop_on_link(attempt.link, original, now, fate.cause, worker);
  ++worker.ledger.of(message.type, map().direction(message.from, message.to)).duplicated;
  attempt.copy = true;
  attempt.leaves = fate.cleared;
  const auto number_of_copy = ends_.transmissions(attempt.link)++;
  const Fate fate_of_copy = depart(attempt, number_of_copy, worker);
  Event copy = copy_of(message, now, number_of_copy, fate_of_copy, repeats_lost_);
  const bool copy_passes = fate_of_copy.cause == DropCause::none;
  if (!copy_passes) drop_on_link(attempt.link, copy, now, fate_of_copy.cause, worker);
  if (original_passes && copy_passes && !repeats_lost_) {
    original.pair = Pair::first;
    copy.pair = Pair::second;
  }
  if (copy_passes) worker.sink->emit_copy(std::move(copy), fate_of_copy.propagation);
  if (original_passes) worker.sink->emit_copy(std::move(original), fate.propagation);
  if (!original_passes && !copy_passes && !repeats_lost_) lose(message, now, fate.cause, worker);
}

Fate LinkLayer::depart(const Network::Attempt& attempt, std::uint32_t number, Worker& worker) {
  auto& count = worker.ledger.of(attempt.type, map().direction(attempt.from, attempt.to));
  const std::uint64_t handshake =
      number == 0 && wire_ != nullptr ? wire_->handshake_bytes(attempt.from, attempt.to) : 0;
  count.wire_bytes += attempt.bytes + handshake;
  if (attempt.sent > answered_at_) {
    ++count.after_finish;
    count.after_finish_bytes += attempt.bytes;
  }
  ledger_.departed(attempt.link, attempt.type, attempt.bytes + handshake);
  const Fate fate = network_.transmit(attempt, number);
  RoundCount& totals = worker.ledger.round(attempt.round);
  worker.ledger.add_time(totals, &RoundCount::queueing, fate.queueing);
  worker.ledger.add_time(totals, &RoundCount::transfer, fate.transfer);
  if (fate.cause == DropCause::none)
    worker.ledger.add_time(totals, &RoundCount::propagation, fate.propagation);
  return fate;
}

Event LinkLayer::copy_of(
    Transmission& message, Time departed, std::uint32_t number, const Fate& fate, bool keeps) {
  Event copy;
  copy.time = fate.arrival;
  copy.node = message.to;
  copy.source = message.from;
  copy.kind = ArrivalEvent{departed};
  copy.type = message.type;
  copy.sequence = number;
  copy.round = message.round;
  copy.number = message.number;
  copy.payload = keeps ? message.payload : std::move(message.payload);
  if (fate.cause == DropCause::none && waited(fate, departed) && copy.payload &&
      copy.payload.path())
    follow_lines(copy, departed, fate);
  return copy;
}

void LinkLayer::drop_on_link(
    LinkId link, const Event& copy, Time departed, DropCause cause, Worker& worker) {
  ledger_.dropped(link, copy.type);
  book_drop(copy, departed, cause, worker);
}

void LinkLayer::lose(const Transmission& message, Time sent, DropCause cause, Worker& worker) {
  worker.lost.add({sent, message.from, message.to, message.type, message.round, cause});
}

void LinkLayer::foresee(
    LinkId link, const Transmission& acknowledgement, Time now, Time arrival, Worker& worker) {
  const Direction direction = map().direction(acknowledgement.from, acknowledgement.to);
  ++worker.ledger.of(acknowledgement.type, direction).delivered;
  worker.ledger.latency(direction).add(arrival - now);
  ++worker.deliveries;
  ledger_.foreseen(link);
  auto& foreseen = worker.foreseen;
  if (foreseen.size() >= worker.foreseen_to_keep) {
    // Nodes are ahead of one another by less than the lookahead.
    const Time settled = now - *network_.lookahead();
    std::erase_if(foreseen, [settled](const auto& each) { return each.arrival <= settled; });
    constexpr std::size_t kFewest = 1024;
    worker.foreseen_to_keep = std::max(kFewest, 3 * foreseen.size());
  }
  foreseen.push_back({arrival, now, link, direction});
}

void LinkLayer::take_back_foreseen(const Worker& worker, Time until, Ledger& ledger) const {
  for (const ForeseenArrival& each : worker.foreseen) {
    if (each.arrival <= until) continue;
    auto& count = ledger.of(types_.acknowledgement(), each.direction);
    --count.delivered;
    ++count.in_flight;
    ledger.latency(each.direction).take_back(each.arrival - each.departed);
  }
}

void LinkLayer::conclude_foreseen(Time until, Worker& worker) {
  take_back_foreseen(worker, until, worker.ledger);
  for (const ForeseenArrival& each : worker.foreseen) {
    if (each.arrival <= until) continue;
    --worker.deliveries;
    ledger_.foreseen_in_flight(each.link);
  }
  worker.foreseen.clear();
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
  if (!repeats_lost_ && (copy.pair == Pair::none || both_are_dropped(copy, true, receiver)))
    worker.lost.add({departed, copy.source, copy.node, copy.type, copy.round, cause});
}

bool LinkLayer::both_are_dropped(const Event& copy, bool dropped, NodeState& receiver) {
  const std::uint32_t first = copy.sequence - (copy.pair == Pair::second ? 1 : 0);
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
    record.order = order;
    record.content = copy.payload ? copy.payload.hash() : 0;
  };
  if (spec_.recent_messages) fill_in(worker.recent.next());
  if (spec_.trace_messages) fill_in(worker.messages.emplace_back());
}

}  // namespace posse
