#include "core/sim/world.hpp"

#include <algorithm>
#include <exception>
#include <set>
#include <string>

#include "core/base/overload.hpp"

namespace posse {
namespace {

/// A departure to no node: the node finishes when its work is done.
Event finish_departure() {
  Event event;
  event.kind = DepartureEvent{};
  return event;
}

void fail(const Event& event, std::string what, Worker& worker) {
  RoleFailure failure{event.time, event.node, event.source, event.sequence, std::move(what)};
  if (!worker.failure || before(failure, *worker.failure)) worker.failure = std::move(failure);
}

}  // namespace

World::World(const SimulationSpec& spec, const Nodes& nodes)
    : spec_(spec),
      nodes_(nodes),
      types_(*spec.algorithm),
      links_(spec, nodes, types_),
      states_(nodes.size()),
      ending_(topology_of(*spec.algorithm, *spec.protocol), nodes.size()) {
  if (spec.network.transport == Transport::reliable)
    transport_.emplace(spec.network.retransmission, types_.acknowledgement(), links_);
}

void World::begin(EventSink& sink) {
  const auto& faults = spec_.network.node_faults;
  for (std::size_t f = 0; f < faults.size(); ++f) {
    std::set<std::uint32_t> members;  // a node may be selected more than once
    for (const auto& selector : faults[f].nodes)
      for (const auto range : nodes_.members(selector, stream_key(spec_.seed, "node-share", f)))
        for (auto i = range.first; i < range.last; ++i) members.insert(members.end(), i);
    for (const std::uint32_t i : members) {
      auto& stops = states_[i].make_extras().stops;
      if (!stops) stops = std::make_unique<NodeStops>();
      const FaultTimes& when = faults[f].when;
      const NodeId id{i};
      if (const auto begin = occurrence_begin(when, fault_stream(f, id), 0, when.at))
        sink.emit(
            states_[i].local_event(id, *begin, FaultEvent{static_cast<std::uint16_t>(f), true, 0}));
    }
  }
  // After the faults, so that a node that is down at time 0 begins when it is up.
  for (std::uint32_t i = 0; i < nodes(); ++i) {
    Event event;
    event.node = event.source = NodeId{i};
    event.kind = StartEvent{};
    if (has_faults(NodeId{i})) event.sequence = ++states_[i].counter;
    sink.emit(std::move(event));
  }
}

StreamKey World::fault_stream(std::size_t fault, NodeId node) const {
  return stream_key(spec_.seed, "node-fault", hash_combine(fault, nodes_.name_hash(node)));
}

void World::handle(Event& event, Worker& worker) {
  NodeState& node = states_[event.node.value];
  ++worker.events;
  if (event.time == Time::max()) {
    book_in_flight(event, worker);
    return fail(event, "virtual time exceeded its range of 292 years", worker);
  }
  if (!std::holds_alternative<StartEvent>(event.kind) && event.time == node.last_event)
    ++worker.ties;
  node.last_event = event.time;
  worker.last_event = std::max(worker.last_event, event.time);
  if (NodeStops* stops = node.stops(); stops && stops->stopped() && hold(event, *stops, worker))
    return;
  dispatch(event, node, worker);
}

void World::dispatch(Event& event, NodeState& node, Worker& worker) {
  std::visit(
      Overload{
          [&](StartEvent) { let_role_react(event, Stimulus::Kind::start, node, worker); },
          [&](ArrivalEvent arrival) { on_arrival(event, arrival.departed, node, worker); },
          [&](DeliveryEvent delivery) { on_delivery(event, delivery.departed, node, worker); },
          [&](TimerEvent timer) { on_timer(event, timer.timer, node, worker); },
          [&](DepartureEvent departure) { on_departure(event, departure, node, worker); },
          [&](RetransmitEvent check) { transport_->on_retransmit(event, check, node, worker); },
          [&](FaultEvent fault) { on_fault(event, fault, node, worker); },
      },
      event.kind);
}

bool World::hold(Event& event, NodeStops& stops, Worker& worker) {
  if (std::holds_alternative<FaultEvent>(event.kind)) return false;
  if (std::holds_alternative<DepartureEvent>(event.kind)) return true;  // planned anew later
  if (stops.crashes > 0) {
    if (const auto* arrival = std::get_if<ArrivalEvent>(&event.kind)) {
      links_.drop_at_receiver(event, arrival->departed, DropCause::crash, worker);
      return true;
    }
    if (const auto* delivery = std::get_if<DeliveryEvent>(&event.kind)) {
      links_.drop_at_receiver(event, delivery->departed, DropCause::crash, worker);
      return true;
    }
    if (std::holds_alternative<TimerEvent>(event.kind)) return true;
  }
  stops.held.push_back(std::move(event));
  return true;
}

void World::on_fault(const Event& event, FaultEvent fault, NodeState& node, Worker& worker) {
  const NodeFault& config = spec_.network.node_faults[fault.fault];
  const StreamKey stream = fault_stream(fault.fault, event.node);
  NodeStops& stops = *node.stops();
  const bool crash = config.kind == NodeFaultKind::crash;
  auto& under_way = crash ? stops.crashes : stops.pauses;
  worker.faults.push_back({event.time, false, fault.fault, fault.begins, event.node});
  if (fault.begins) {
    if (!stops.stopped()) stops.since = event.time;
    ++under_way;
    const Time end = occurrence_end(config.when, stream, fault.occurrence, event.time);
    if (end == Time::max())
      stops.for_good = true;
    else
      worker.sink->emit(
          node.local_event(event.node, end, FaultEvent{fault.fault, false, fault.occurrence}));
    if (!crash) return;
    stops.crashed = true;
    node.extras->timers.clear();
    for (Event& held : std::exchange(stops.held, {})) hold(held, stops, worker);
    return;
  }
  --under_way;
  if (const auto begin =
          occurrence_begin(config.when, stream, fault.occurrence + std::uint64_t{1}, event.time))
    worker.sink->emit(
        node.local_event(event.node, *begin, FaultEvent{fault.fault, true, fault.occurrence + 1}));
  if (!stops.stopped()) restart(event, node, worker);
}

void World::restart(const Event& event, NodeState& node, Worker& worker) {
  NodeStops& stops = *node.stops();
  const Duration stood = event.time - stops.since;
  if (node.busy_until > stops.since) node.busy_until = node.busy_until + stood;
  ++stops.epoch;
  for (Event& departure : stops.departures) {
    departure.time = departure.time + stood;
    Event planned = node.local_event(event.node, departure.time, departure.kind);
    planned.number = stops.epoch;
    worker.sink->emit(std::move(planned));
  }
  if (std::exchange(stops.crashed, false))
    let_role_react(event, Stimulus::Kind::restart, node, worker);
  for (Event& held : std::exchange(stops.held, {})) {
    held.time = event.time;
    dispatch(held, node, worker);
  }
}

void World::on_departure(Event& event, DepartureEvent departure, NodeState& node, Worker& worker) {
  if (NodeStops* stops = node.stops()) {
    if (event.number != stops->epoch) return;
    event.round = stops->departures.front().round;
    event.type = stops->departures.front().type;
    event.payload = std::move(stops->departures.front().payload);
    stops->departures.pop_front();
  }
  --node.departures;
  if (departure.count == 0) return finish(event.node, node, event.time, worker);
  post(event.node,
       node,
       event.time,
       event.type,
       {departure.first, departure.count, event.round, std::move(event.payload)},
       worker);
}

void World::on_arrival(Event& event, Time departed, NodeState& node, Worker& worker) {
  if (network().has_receive_rate(event.node))
    links_.receive(std::move(event), departed, worker);
  else
    on_delivery(event, departed, node, worker);
}

void World::on_delivery(Event& event, Time departed, NodeState& node, Worker& worker) {
  if (event.type == types_.acknowledgement()) {
    links_.book_delivery(event, departed, MessageOutcome::delivered, worker);
    return transport_->on_acknowledgement(event, node);
  }
  if (transport_ && !transport_->receive(event, node, worker))
    return links_.book_delivery(event, departed, MessageOutcome::discarded, worker);
  links_.book_delivery(event, departed, MessageOutcome::delivered, worker);
  for (const std::uint64_t field : {static_cast<std::uint64_t>(event.time.ns),
                                    std::uint64_t{event.source.value} << 32 | event.round.value,
                                    types_.name_hash(event.type),
                                    event.payload.hash()})
    node.hash = hash_combine(node.hash, field);
  worker.stimulus.message.from = event.source;
  worker.stimulus.message.round = event.round;
  worker.stimulus.message.payload = std::move(event.payload);
  let_role_react(event, Stimulus::Kind::message, node, worker);
}

void World::on_timer(const Event& event, TimerId timer, NodeState& node, Worker& worker) {
  if (!node.extras || !node.extras->timers.expire(timer, event.sequence)) return;
  worker.stimulus.timer = timer;
  let_role_react(event, Stimulus::Kind::timer, node, worker);
}

void World::let_role_react(const Event& event,
                           Stimulus::Kind kind,
                           NodeState& node,
                           Worker& worker) {
  worker.stimulus.kind = kind;
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

void World::apply(NodeId id, NodeState& node, Time now, Round stimulus_round, Worker& worker) {
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
      if (const auto* ended = std::get_if<RoundEnded>(&observations[recorded])) {
        book_work(ended->round);
        if (ending_.decides(id)) ending_.round_closed(*ended);
      }
      worker.observations.push_back({node.free_at(now), id, std::move(observations[recorded])});
    }
  };
  for (std::size_t i = 0; i < effects.size(); ++i) {
    record_observations(i);
    std::visit(
        Overload{
            [&](SendEffect& message) {
              const auto type = types_.number_of(message.payload.type());
              check_send(id, node, message);
              book_work(message.round);
              send(id, node, now, type, message, worker);
            },
            [&](const SetTimerEffect& effect) {
              POSSE_CHECK(
                  effect.after.ns >= 0, "a timer was set {} ns in the past", -effect.after.ns);
              Event event = node.local_event(id, now + effect.after, TimerEvent{effect.timer});
              node.make_extras().timers.set(effect.timer, event.sequence);
              worker.sink->emit(std::move(event));
            },
            [&](const CancelTimerEffect& effect) {
              if (node.extras) node.extras->timers.cancel(effect.timer);
            },
            [&](const EvaluateEffect& evaluate) {
              unbooked_work += work(
                  id, node, now, network().evaluation_time(id, node.evaluations, evaluate.count));
              node.evaluations += evaluate.count;
              worker.evaluations += evaluate.count;
            },
            [&](const WorkEffect& effect) {
              unbooked_work += work(id, node, now, effect.duration);
            },
            [&](const FinishEffect&) {
              if (node.finished) return;
              if (node.stops() && node.busy_until > now)
                plan_departure(id, node, now, finish_departure(), worker);
              else
                finish(id, node, now, worker);
            },
        },
        effects[i]);
  }
  record_observations(effects.size());
  book_work(stimulus_round);
}

void World::finish(NodeId id, NodeState& node, Time now, Worker& worker) {
  node.finished = true;
  ++worker.finished;
  node.busy_until = node.free_at(now);
  worker.finished_at = std::max(worker.finished_at, node.busy_until);
  if (ending_.decides(id)) ending_.decided(node.busy_until);
}

void World::check_send(NodeId from, const NodeState& node, const SendEffect& message) const {
  POSSE_CHECK(!(node.finished && ending_.has_hub() && from == Ending::kHub),
              "{} sends after it finished",
              nodes_.name(from));
  POSSE_CHECK(message.round.value <= Ledger::kMaxRound,
              "round {} is above the limit {}",
              message.round.value,
              Ledger::kMaxRound);
  for (std::uint32_t i = 0; i < message.count; ++i)
    POSSE_CHECK(links_.map().connected(from, NodeId{message.first.value + i}),
                "{} has no link to node {} ({} nodes) in this topology",
                nodes_.name(from),
                std::uint64_t{message.first.value} + i,
                nodes_.size());
}

Duration World::work(NodeId id, NodeState& node, Time now, Duration duration) {
  POSSE_CHECK(!node.finished || duration.ns == 0, "{} works after it finished", nodes_.name(id));
  const double factor = network().straggler_factor(id);
  if (factor != 1.0) duration = Duration::seconds(duration.to_seconds() * factor);
  node.busy_until = node.free_at(now) + duration;
  return duration;
}

void World::send(NodeId from,
                 NodeState& node,
                 Time now,
                 std::uint16_t type,
                 SendEffect& message,
                 Worker& worker) {
  // Queue behind an earlier departure even if the work ends at this very time: a node's messages
  // leave in the order of sending.
  if (node.busy_until <= now && node.departures == 0)
    return post(from, node, now, type, message, worker);
  Event departure;
  departure.kind = DepartureEvent{message.first, message.count};
  departure.type = type;
  departure.round = message.round;
  departure.payload = std::move(message.payload);
  plan_departure(from, node, now, std::move(departure), worker);
}

void World::plan_departure(
    NodeId from, NodeState& node, Time now, Event&& content, Worker& worker) {
  ++node.departures;
  Event departure = node.local_event(from, node.free_at(now), content.kind);
  departure.type = content.type;
  departure.round = content.round;
  departure.payload = std::move(content.payload);
  if (NodeStops* stops = node.stops()) {
    departure.number = stops->epoch;
    stops->departures.push_back(departure);
    departure.payload = Payload{};
  }
  worker.sink->emit(std::move(departure));
}

void World::post(NodeId from,
                 NodeState& node,
                 Time now,
                 std::uint16_t type,
                 const SendEffect& message,
                 Worker& worker) {
  for (std::uint32_t i = 0; i < message.count; ++i) {
    const NodeId to{message.first.value + i};
    if (transport_)
      transport_->transmit(
          {from, to, type, message.round, transport_->take_number(from, to), 0, message.payload},
          node,
          now,
          worker);
    else
      links_.transmit({from, to, type, message.round, 0, 0, message.payload}, now, worker);
  }
}

void World::settle_after(const Event& event, const RoleHost& host) {
  if (!ending_.begun()) return begin_ending(host);
  look_at(event.node, event.time, host);
  if (!ending_.has_hub() || event.node != Ending::kHub) return;
  if (const auto* check = std::get_if<RetransmitEvent>(&event.kind))
    look_at(check->to, event.time, host);
  if (const auto* departure = std::get_if<DepartureEvent>(&event.kind))
    for (std::uint32_t i = 0; i < departure->count; ++i)
      look_at(NodeId{departure->first.value + i}, event.time, host);
  if (std::holds_alternative<FaultEvent>(event.kind))
    for (std::uint32_t i = 0; i < nodes(); ++i) look_at(NodeId{i}, event.time, host);
}

void World::begin_ending(const RoleHost& host) {
  ending_.begin();
  if (!ending_.has_hub()) return;
  links_.answered_at(ending_.answered_at());
  const Time now = states_[Ending::kHub.value].last_event;
  for (std::uint32_t i = 0; i < nodes(); ++i) look_at(NodeId{i}, now, host);
}

void World::look_at(NodeId node, Time now, const RoleHost& host) {
  if (!ending_.waits_for(node) || has_something_left(node, now, host)) return;
  const NodeState& state = states_[node.value];
  ending_.settle(node, std::max({now, state.last_event, state.busy_until}));
}

bool World::has_something_left(NodeId id, Time now, const RoleHost& host) const {
  const NodeState& node = states_[id.value];
  const NodeStops* stops = node.stops();
  if (node.finished || (stops && stops->for_good)) return false;
  if (stops && !stops->held.empty()) return true;
  const NodeState& hub = states_[Ending::kHub.value];
  const bool started = node.last_event.ns >= 0;
  const bool has_timers = node.extras && !node.extras->timers.empty();
  if (!started || node.departures > 0 || has_timers || hub.departures > 0) return true;
  if (transport_ ? transport_->expects(Ending::kHub, hub, id, node, now)
                 : links_.carries(Ending::kHub, id))
    return true;
  return host.waiting(id).has_value();
}

void World::book_in_flight(const Event& event, Worker& worker) {
  if (const auto* arrival = std::get_if<ArrivalEvent>(&event.kind))
    links_.book_in_flight(event, arrival->departed, worker);
  if (const auto* delivery = std::get_if<DeliveryEvent>(&event.kind))
    links_.book_in_flight(event, delivery->departed, worker);
}

void World::book_held_in_flight(Worker& worker) {
  for (const NodeState& node : states_)
    if (const NodeStops* stops = node.stops())
      for (const Event& event : stops->held) book_in_flight(event, worker);
}

void World::intervene(const Intervention& intervention) {
  if (intervention.action == Intervention::Action::cut)
    links_.network().cut(intervention.groups, intervention.at);
  if (intervention.action == Intervention::Action::restore)
    links_.network().restore(intervention.groups, intervention.at);
}

}  // namespace posse
