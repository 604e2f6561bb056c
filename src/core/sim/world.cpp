#include "core/sim/world.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>

#include "core/base/overload.hpp"

namespace posse {
namespace {

std::vector<std::string_view> names_of(const AlgorithmSpec& algorithm) {
  std::vector<std::string_view> names;
  for (const auto* type : algorithm.messages) names.push_back(type->name);
  names.push_back(kAcknowledgement);
  return names;
}

}  // namespace

void call_role(Role& role, const Stimulus& stimulus, Reaction& reaction) {
  switch (stimulus.kind) {
    case Stimulus::Kind::start:
      return role.on_start(reaction);
    case Stimulus::Kind::message:
      return role.on_message(stimulus.message, reaction);
    case Stimulus::Kind::timer:
      return role.on_timer(stimulus.timer, reaction);
  }
}

DirectHost::DirectHost(const Protocol& protocol, std::uint32_t nodes) {
  roles_.reserve(nodes);
  for (std::uint32_t i = 0; i < nodes; ++i) roles_.push_back(protocol.make_role(NodeId{i}));
}

void DirectHost::react(NodeId node, const Stimulus& stimulus, Reaction& reaction) {
  call_role(*roles_[node.value], stimulus, reaction);
}

World::World(const SimulationSpec& spec, const Nodes& nodes)
    : spec_(spec),
      nodes_(nodes),
      links_(topology_of(*spec.algorithm, *spec.protocol), nodes.size()),
      types_(spec.algorithm->messages),
      type_names_(names_of(*spec.algorithm)),
      acknowledgement_type_(static_cast<std::uint16_t>(types_.size())),
      reliable_(spec.network.transport == Transport::reliable),
      header_bytes_(spec.network.header_bytes),
      traces_(spec.trace_messages || spec.recent_messages),
      network_(spec.network, spec.compute, nodes, links_, type_names_, spec.seed),
      link_ledger_(links_.links(), type_names_.size()),
      state_(nodes.size()) {
  for (const auto name : type_names_) type_hashes_.push_back(hash_name(name));
  if (reliable_) {
    next_number_.assign(links_.links(), 0);
    received_.resize(links_.links());
    acknowledged_.resize(links_.links());
  }
}

Event World::start_event(NodeId node) const {
  Event event;
  event.node = event.source = node;
  event.kind = EventKind::start;
  return event;
}

std::uint16_t World::type_number(const MessageType& type) const {
  for (std::size_t i = 0; i < types_.size(); ++i)
    if (types_[i] == &type) return static_cast<std::uint16_t>(i);
  throw CheckFailure(fmt::format(
      "{} sent a {}, which its AlgorithmSpec does not list", spec_.algorithm->kind, type.name));
}

void World::emit_local(NodeId id, Node& node, Event&& event, Worker& worker) {
  event.node = event.source = id;
  event.sequence = ++node.counter;
  worker.sink->emit(std::move(event));
}

void World::handle(Event& event, Worker& worker) {
  Node& node = state_[event.node.value];
  ++worker.events;
  if (event.time == Time::max()) {
    book_in_flight(event, worker);
    return fail(event, "virtual time exceeded its range of 292 years", worker);
  }
  if (event.kind != EventKind::start && event.time == node.last_event) ++worker.ties;
  node.last_event = event.time;
  worker.last_event = std::max(worker.last_event, event.time);
  switch (event.kind) {
    case EventKind::start:
      worker.stimulus.kind = Stimulus::Kind::start;
      return let_role_react(event, node, worker);
    case EventKind::arrival:
      return on_arrival(event, node, worker);
    case EventKind::delivery:
      return on_delivery(event, node, worker);
    case EventKind::departure:
      return on_departure(event, node, worker);
    case EventKind::retransmit:
      return on_retransmit(event, node, worker);
    case EventKind::timer: {
      const TimerId timer{event.detail};
      if (!node.extras) return;
      auto& timers = node.extras->timers;
      const auto it = std::find_if(timers.begin(), timers.end(), [&](const PendingTimer& pending) {
        return pending.timer == timer && pending.generation == event.extra;
      });
      if (it == timers.end()) return;  // cancelled or moved
      timers.erase(it);
      worker.stimulus.kind = Stimulus::Kind::timer;
      worker.stimulus.timer = timer;
      return let_role_react(event, node, worker);
    }
  }
}

void World::on_arrival(Event& event, Node& node, Worker& worker) {
  if (!network_.has_receive_rate(event.node)) return on_delivery(event, node, worker);
  const auto fate = network_.receive(event.node, event.time, size_bytes(event.payload));
  worker.ledger.add_time(event.round, &Ledger::RoundCount::queueing, fate.queueing);
  worker.ledger.add_time(event.round, &Ledger::RoundCount::transfer, fate.transfer);
  if (fate.cause != DropCause::none) {
    const auto link = links_.link(event.source, event.node);
    link_ledger_.arrived(link, event.type);
    count_drop(worker.ledger.of(event.type, links_.direction(event.source, event.node)),
               fate.cause);
    trace_drop(event, fate.cause, worker);
    if (!reliable_)
      worker.lost.add({Time{static_cast<std::int64_t>(event.extra)},
                       event.source,
                       event.node,
                       event.type,
                       event.round,
                       fate.cause});
    return;
  }
  Event delivery = std::move(event);
  delivery.kind = EventKind::delivery;
  delivery.time = fate.arrival;
  worker.sink->emit(std::move(delivery));
}

void World::on_delivery(Event& event, Node& node, Worker& worker) {
  const auto link = links_.link(event.source, event.node);
  const auto direction = links_.direction(event.source, event.node);
  auto& count = worker.ledger.of(event.type, direction);
  worker.ledger.latency(direction).add({event.time.ns - static_cast<std::int64_t>(event.extra)});
  link_ledger_.arrived(link, event.type);
  ++worker.deliveries;

  if (event.type == acknowledgement_type_) {
    ++count.delivered;
    trace(event, MessageOutcome::delivered, worker);
    return on_acknowledgement(event, node, worker);
  }
  if (reliable_) {
    const auto* early = node.extras ? &node.extras->early_received : nullptr;
    const bool seen = received_.contains(link.value, event.detail, early);
    if (!seen)
      received_.insert(link.value, event.detail, early, [&]() -> SequenceSets::Early& {
        return extras(node).early_received;
      });
    // Every copy is acknowledged, since earlier acknowledgements may have been lost.
    transmit(
        {event.node, event.source, acknowledgement_type_, event.round, event.detail, 0, true, {}},
        event.time,
        worker);
    if (seen) {
      ++count.discarded;
      trace(event, MessageOutcome::discarded, worker);
      return;
    }
  }
  ++count.delivered;
  trace(event, MessageOutcome::delivered, worker);
  for (const std::uint64_t field : {static_cast<std::uint64_t>(event.time.ns),
                                    std::uint64_t{event.source.value} << 32 | event.round.value,
                                    type_hashes_[event.type],
                                    event.payload.hash()})
    node.hash = hash_combine(node.hash, field);
  worker.stimulus.kind = Stimulus::Kind::message;
  worker.stimulus.message.from = event.source;
  worker.stimulus.message.round = event.round;
  worker.stimulus.message.payload = std::move(event.payload);
  let_role_react(event, node, worker);
}

void World::on_acknowledgement(const Event& event, Node& node, Worker&) {
  const auto link = links_.link(event.node, event.source);
  const auto* early = node.extras ? &node.extras->early_acknowledged : nullptr;
  if (acknowledged_.contains(link.value, event.detail, early)) return;
  acknowledged_.insert(link.value, event.detail, early, [&]() -> SequenceSets::Early& {
    return extras(node).early_acknowledged;
  });
}

void World::on_departure(Event& event, Node& node, Worker& worker) {
  --node.departures;
  const auto first = event.detail;
  const auto last = first + static_cast<std::uint32_t>(event.extra);
  for (std::uint32_t to = first; to < last; ++to)
    post(event.node, NodeId{to}, event.type, event.round, event.payload, event.time, worker);
}

void World::on_retransmit(Event& event, Node& node, Worker& worker) {
  const NodeId to{event.detail};
  const auto link = links_.link(event.node, to);
  const auto number = static_cast<std::uint32_t>(event.extra >> 32);
  const auto tries = static_cast<std::uint32_t>(event.extra);
  const auto* early = node.extras ? &node.extras->early_acknowledged : nullptr;
  if (acknowledged_.contains(link.value, number, early)) return;
  Outgoing message{
      event.node, to, event.type, event.round, number, tries, false, std::move(event.payload)};
  if (tries >= spec_.network.retransmission.max_tries) {
    Duration since_first;
    for (std::uint32_t i = 0; i < tries; ++i) since_first += retransmission_wait(i);
    worker.lost.add({Time{event.time.ns - since_first.ns},
                     event.node,
                     to,
                     event.type,
                     event.round,
                     DropCause::none,
                     tries});
    return;
  }
  transmit(message, event.time, worker);
}

void World::let_role_react(const Event& event, Node& node, Worker& worker) {
  worker.reaction.reset(event.time, event.node);
  node.last_reaction = event.time;
  try {
    worker.host->react(event.node, worker.stimulus, worker.reaction);
    worker.stimulus.message.payload = Payload{};
    apply(event.node, node, event.time, event.round, worker);
  } catch (const std::exception& error) {
    fail(event, error.what(), worker);
  } catch (...) {
    fail(event, "an exception that is not a std::exception", worker);
  }
}

void World::fail(const Event& event, std::string what, Worker& worker) {
  RoleFailure failure{event.time, event.node, event.source, event.sequence, std::move(what)};
  if (!worker.failure || before(failure, *worker.failure)) worker.failure = std::move(failure);
}

bool before(const RoleFailure& a, const RoleFailure& b) {
  return std::tie(a.time, a.node, a.source, a.sequence) <
         std::tie(b.time, b.node, b.source, b.sequence);
}

void World::check_send(NodeId from, const SendEffect& send) const {
  POSSE_CHECK(send.round.value <= Ledger::kMaxRound,
              "round {} is above the limit {}",
              send.round.value,
              Ledger::kMaxRound);
  for (std::uint32_t i = 0; i < send.count; ++i)
    POSSE_CHECK(links_.connected(from, NodeId{send.first.value + i}),
                "{} has no link to node {} ({} nodes) in this topology",
                nodes_.name(from),
                std::uint64_t{send.first.value} + i,
                nodes_.size());
}

void World::start_work(NodeId id, Node& node, Time now, Duration work, Duration& total) {
  const double factor = network_.straggler_factor(id);
  if (factor != 1.0) work = Duration::seconds(work.to_seconds() * factor);
  node.busy_until = std::max(node.busy_until, now) + work;
  total += work;
}

void World::set_timer(
    NodeId id, Node& node, Time now, const SetTimerEffect& effect, Worker& worker) {
  POSSE_CHECK(effect.after.ns >= 0, "a timer was set {} ns in the past", -effect.after.ns);
  auto& timers = extras(node).timers;
  std::erase_if(timers, [&](const PendingTimer& p) { return p.timer == effect.timer; });
  Event event;
  event.kind = EventKind::timer;
  event.time = now + effect.after;
  event.detail = effect.timer.value;
  event.extra = node.counter + 1;  // emit_local takes the same number
  timers.push_back({effect.timer, event.extra});
  emit_local(id, node, std::move(event), worker);
}

void World::apply(NodeId id, Node& node, Time now, Round stimulus_round, Worker& worker) {
  // Work belongs to the round of the next message or of the next RoundEnded.
  Duration unbooked_work;
  const auto book_work = [&](Round round) {
    if (unbooked_work.ns != 0)
      worker.ledger.add_time(round, &Ledger::RoundCount::compute, unbooked_work);
    unbooked_work = {};
  };
  auto& effects = worker.reaction.mutable_effects();
  auto& observations = worker.reaction.mutable_observations();
  const auto& observed_after = worker.reaction.observed_after();
  std::size_t recorded = 0;
  const auto record_observations = [&](std::size_t effects_done) {
    for (; recorded < observations.size() && observed_after[recorded] <= effects_done; ++recorded) {
      if (const auto* ended = std::get_if<RoundEnded>(&observations[recorded]))
        book_work(ended->round);
      worker.observations.push_back(
          {std::max(now, node.busy_until), id, std::move(observations[recorded])});
    }
  };
  for (std::size_t i = 0; i < effects.size(); ++i) {
    record_observations(i);
    std::visit(
        Overload{
            [&](SendEffect& send) {
              const auto type = type_number(send.payload.type());
              check_send(id, send);
              book_work(send.round);
              // Queue behind an earlier departure even if the work ends at this very time: a node's
              // messages leave in the order of sending.
              if (node.busy_until > now || node.departures > 0) {
                ++node.departures;
                Event departure;
                departure.kind = EventKind::departure;
                departure.time = std::max(node.busy_until, now);
                departure.type = type;
                departure.round = send.round;
                departure.detail = send.first.value;
                departure.extra = send.count;
                departure.payload = std::move(send.payload);
                emit_local(id, node, std::move(departure), worker);
                return;
              }
              for (std::uint32_t n = 0; n < send.count; ++n)
                post(id, NodeId{send.first.value + n}, type, send.round, send.payload, now, worker);
            },
            [&](const SetTimerEffect& timer) { set_timer(id, node, now, timer, worker); },
            [&](const CancelTimerEffect& cancel) {
              if (node.extras)
                std::erase_if(node.extras->timers,
                              [&](const PendingTimer& p) { return p.timer == cancel.timer; });
            },
            [&](const EvaluateEffect& evaluate) {
              start_work(id,
                         node,
                         now,
                         network_.evaluation_time(id, node.evaluations, evaluate.count),
                         unbooked_work);
              node.evaluations += evaluate.count;
              worker.evaluations += evaluate.count;
            },
            [&](const WorkEffect& work) {
              start_work(id, node, now, work.duration, unbooked_work);
            },
            [&](const FinishEffect&) {
              if (node.finished) return;
              node.finished = true;
              ++worker.finished;
              worker.finished_at =
                  std::max({worker.finished_at, now, std::max(node.busy_until, now)});
            },
        },
        effects[i]);
  }
  record_observations(effects.size());
  book_work(stimulus_round);
}

void World::post(NodeId from,
                 NodeId to,
                 std::uint16_t type,
                 Round round,
                 const Payload& payload,
                 Time now,
                 Worker& worker) {
  std::uint32_t number = 0;
  if (reliable_) number = next_number_[links_.link(from, to).value]++;
  auto& totals = worker.ledger.round(round);
  ++totals.messages;
  totals.bytes += size_bytes(payload);
  totals.values += payload.values();
  transmit({from, to, type, round, number, 0, false, payload}, now, worker);
}

void World::count_drop(Ledger::Count& count, DropCause cause) {
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

namespace {

/// Later rounds first; within a round by the time of sending.
bool is_more_relevant(const LostMessage& a, const LostMessage& b) {
  return std::tie(b.round, a.left, a.from, a.to, a.type, a.tries) <
         std::tie(a.round, b.left, b.from, b.to, b.type, b.tries);
}

}  // namespace

void LostMessages::add(const LostMessage& message) {
  if (heap_.size() == kKept) {
    if (!is_more_relevant(message, heap_.front())) return;
    std::pop_heap(heap_.begin(), heap_.end(), is_more_relevant);
    heap_.pop_back();
  }
  heap_.push_back(message);
  std::push_heap(heap_.begin(), heap_.end(), is_more_relevant);
}

std::vector<LostMessage> LostMessages::sorted() const {
  auto all = heap_;
  std::sort(all.begin(), all.end(), is_more_relevant);
  return all;
}

Duration World::retransmission_wait(std::uint32_t tries) const {
  const auto& retransmission = spec_.network.retransmission;
  double wait = retransmission.timeout.to_seconds();
  const double most = retransmission.max_timeout.to_seconds();
  for (std::uint32_t i = 0; i < tries && wait < most; ++i) wait *= retransmission.backoff;
  return Duration::seconds(std::min(wait, most));
}

void World::transmit(const Outgoing& message, Time now, Worker& worker) {
  const auto link = links_.link(message.from, message.to);
  const auto bytes = size_bytes(message.payload);
  auto& count = worker.ledger.of(message.type, links_.direction(message.from, message.to));
  const bool repeated = message.tries > 0;
  if (repeated) {
    ++count.repeated;
  } else {
    ++count.sent;
    count.bytes += bytes;
    if (message.payload) count.values += message.payload.values();
  }
  const bool guarded = reliable_ && !message.acknowledgement;
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

  // The original, and the copy that the network may make.
  for (bool copy = false;; copy = true) {
    attempt.copy = copy;
    const auto number = network_.take_number(link);
    count.wire_bytes += bytes;
    link_ledger_.departed(link, message.type);
    const Fate fate = network_.transmit(attempt, number);
    worker.ledger.add_time(message.round, &Ledger::RoundCount::queueing, fate.queueing);
    worker.ledger.add_time(message.round, &Ledger::RoundCount::transfer, fate.transfer);
    Event event;
    event.time = fate.arrival;
    event.node = message.to;
    event.source = message.from;
    event.sequence = number;
    event.kind = EventKind::arrival;
    event.repeated = repeated;
    event.type = message.type;
    event.round = message.round;
    event.detail = message.number;
    event.extra = static_cast<std::uint64_t>(now.ns);
    if (fate.cause == DropCause::none) {
      worker.ledger.add_time(message.round, &Ledger::RoundCount::propagation, fate.propagation);
      event.payload = message.payload;
      worker.sink->emit(std::move(event));
    } else {
      link_ledger_.dropped(link, message.type);
      count_drop(count, fate.cause);
      if (traces_) {
        event.payload = message.payload;
        trace_drop(event, fate.cause, worker);
      }
      if (!guarded && !copy && !message.acknowledgement)
        worker.lost.add({now, message.from, message.to, message.type, message.round, fate.cause});
    }
    // A message that did not leave its sender's queue cannot be copied by the network.
    if (copy || fate.cause == DropCause::queue || !network_.duplicates(attempt, number)) break;
    attempt.leaves = fate.cleared;
    ++count.duplicated;
  }

  if (guarded) {
    Event event;
    event.kind = EventKind::retransmit;
    event.time = now + retransmission_wait(message.tries);
    event.type = message.type;
    event.round = message.round;
    event.detail = message.to.value;
    event.extra = std::uint64_t{message.number} << 32 | (message.tries + 1);
    event.payload = message.payload;
    emit_local(message.from, state_[message.from.value], std::move(event), worker);
  }
}

void World::keep_record(const Event& event,
                        MessageOutcome outcome,
                        DropCause cause,
                        Worker& worker) {
  const auto fill_in = [&](MessageRecord& record) {
    record.id = event.sequence;  // until conclude() numbers them all
    record.type = type_names_[event.type];
    record.round = event.round;
    record.from = event.source;
    record.to = event.node;
    record.bytes = size_bytes(event.payload);
    record.sent = Time{static_cast<std::int64_t>(event.extra)};
    record.delivered = event.time;
    record.outcome = outcome;
    record.cause = cause;
  };
  if (spec_.recent_messages) fill_in(worker.recent.next());
  if (spec_.trace_messages) fill_in(worker.messages.emplace_back());
}

void World::book_in_flight(const Event& event, Worker& worker) {
  if (event.kind != EventKind::arrival && event.kind != EventKind::delivery) return;
  ++worker.ledger.of(event.type, links_.direction(event.source, event.node)).in_flight;
  link_ledger_.arrived(links_.link(event.source, event.node), event.type);
  trace(event, MessageOutcome::in_flight, worker);
}

}  // namespace posse
