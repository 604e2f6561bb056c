// SPDX-License-Identifier: Apache-2.0
#include "core/sim/link_layer.hpp"

#include <algorithm>
#include <optional>
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
  const auto link = map().link(message.from, message.to);
  const auto bytes = size_bytes(message.payload);
  auto& count = worker.ledger.of(message.type, map().direction(message.from, message.to));
  RoundCount& totals = worker.ledger.round(message.round);
  const bool repeated = message.tries > 0;
  if (repeated) {
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
  Network::Attempt attempt{message.from,
                           message.to,
                           link,
                           message.type,
                           message.round,
                           bytes,
                           now,
                           now,
                           !repeated,
                           false};

  std::optional<Event> original;  // kept until the fate of its copy is known
  Duration original_propagation;
  bool on_its_way = false, in_time = false;
  DropCause lost_by = DropCause::none;  // the original

  // The original, and the copy that the network may make.
  for (bool copy = false;; copy = true) {
    attempt.copy = copy;
    const auto number = ends_.transmissions(link)++;
    const std::uint64_t handshake =
        number == 0 && wire_ != nullptr ? wire_->handshake_bytes(message.from, message.to) : 0;
    count.wire_bytes += bytes + handshake;
    if (now > answered_at_) {
      ++count.after_finish;
      count.after_finish_bytes += bytes;
    }
    ledger_.departed(link, message.type, bytes + handshake);
    const Fate fate = network_.transmit(attempt, number);
    worker.ledger.add_time(totals, &RoundCount::queueing, fate.queueing);
    worker.ledger.add_time(totals, &RoundCount::transfer, fate.transfer);
    const bool passes = fate.cause == DropCause::none;
    if (passes) worker.ledger.add_time(totals, &RoundCount::propagation, fate.propagation);
    in_time = passes && fate.arrival <= message.in_time;
    if (in_time && message.type == types_.acknowledgement()) {
      foresee(link, message, now, fate.arrival, worker);
      return true;
    }
    // A message that did not leave its sender's queue cannot be copied by the network.
    const bool again =
        !copy && fate.cause != DropCause::queue && network_.duplicates(attempt, number);
    Event event;
    event.time = fate.arrival;
    event.node = message.to;
    event.source = message.from;
    event.kind = ArrivalEvent{now};
    event.type = message.type;
    event.sequence = number;
    event.round = message.round;
    event.number = message.number;
    // Time on the lines is part of a message's path, which is followed here.
    const bool waited = passes && fate.arrival - fate.propagation > now && message.payload &&
                        message.payload.path();
    in_time = in_time && !waited;
    if (in_time)
      event.kind = WatchedArrival{static_cast<std::uint32_t>((fate.arrival - now).ns),
                                  message.check_sequence};
    event.payload =
        again || (repeats_lost_ && !in_time) ? message.payload : std::move(message.payload);
    if (passes) {
      on_its_way = true;
      if (waited) follow_lines(event, now, fate);
      if (original && !repeats_lost_) {
        original->pair = Pair::first;
        event.pair = Pair::second;
      }
      if (again) {
        original = std::move(event);
        original_propagation = fate.propagation;
      } else {
        worker.sink->emit_copy(std::move(event), fate.propagation);
      }
    } else {
      ledger_.dropped(link, message.type);
      book_drop(event, now, fate.cause, worker);
      if (!copy) lost_by = fate.cause;
    }
    if (!again) break;
    attempt.leaves = fate.cleared;
    ++count.duplicated;
  }
  if (original) worker.sink->emit_copy(*std::move(original), original_propagation);
  if (!on_its_way && !repeats_lost_)
    worker.lost.add({now, message.from, message.to, message.type, message.round, lost_by});
  return in_time;
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
