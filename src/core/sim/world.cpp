#include "core/sim/world.hpp"

#include <algorithm>
#include <exception>
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
      follows_paths_(nodes.size() <= kMostNodesWithPaths),
      liars_(spec.network.corrupt_faults, nodes, spec.seed),
      node_faults_(spec, nodes),
      ending_(topology_of(*spec.algorithm, *spec.protocol), nodes.size()) {
  const auto* constant = std::get_if<ConstantDuration>(&spec.compute.evaluation);
  if (follows_paths_ && (constant == nullptr || constant->value.ns > 0))
    work_paths_.resize(nodes.size());
  if (spec.record && follows_paths_) recorded_.resize(nodes.size());
  if (spec.network.transport == Transport::reliable)
    transport_.emplace(spec.network.retransmission, types_.acknowledgement(), links_);
}

void World::begin(EventSink& sink) {
  if (spec_.stoppable_nodes)
    for (NodeState& node : states_) make_stoppable(node);
  for (std::size_t f = 0; f < node_faults_.size(); ++f) begin_fault(f, sink);
  // Events of faults come first, so that a node that is down at time 0 begins when it is up.
  for (std::uint32_t i = 0; i < nodes(); ++i)
    sink.emit(states_[i].local_event(NodeId{i}, Time{}, StartEvent{}));
}

void World::handle(Event& event, Worker& worker) {
  NodeState& node = states_[event.node.value];
  if (event.time == Time::max()) {
    ++worker.events;
    book_in_flight(event, worker);
    return fail(event, "virtual time exceeded its range of 292 years", worker);
  }
  // What only nodes that may be stopped have is not counted.
  const auto* departure = std::get_if<DepartureEvent>(&event.kind);
  if (departure == nullptr || departure->count > 0) {
    ++worker.events;
    if (!std::holds_alternative<StartEvent>(event.kind) && event.time == node.last_event)
      ++worker.ties;
    node.last_event = event.time;
    worker.last_event = std::max(worker.last_event, event.time);
  }
  if (NodeStops* stops = node.stops()) {
    if (!stops->stopped()) report_until(event.time, *stops, worker);
    if (stops->stopped() && hold(event, *stops, worker)) return;
  }
  let_happen(event, node, worker);
}

void World::let_happen(Event& event, NodeState& node, Worker& worker) {
  // Without latency a message may come before the node's own start at the same instant.
  if (!node.started && !std::holds_alternative<FaultEvent>(event.kind))
    start(event.node, node, event.time, worker);
  std::visit(
      Overload{
          [&](StartEvent) {},  // see above
          [&](ArrivalEvent arrival) { on_arrival(event, arrival.departed, node, worker); },
          [&](DeliveryEvent delivery) { on_delivery(event, delivery.departed, node, worker); },
          [&](TimerEvent timer) { on_timer(event, timer.timer, node, worker); },
          [&](DepartureEvent departure) { on_departure(event, departure, node, worker); },
          [&](RetransmitEvent check) { transport_->on_retransmit(event, check, node, worker); },
          [&](FaultEvent fault) { on_fault(event, fault, node, worker); },
      },
      event.kind);
}

void World::start(NodeId id, NodeState& node, Time now, Worker& worker) {
  node.started = true;
  Event event;
  event.time = now;
  event.node = event.source = id;
  let_role_react(event, Stimulus::Kind::start, node, worker);
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
  links_.book_delivery(event, departed, MessageOutcome::delivered, worker, ++node.handed);
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
  if (!node.extras) return;
  auto path = node.extras->timers.expire(timer, event.sequence);
  if (!path) return;
  worker.timer_path = std::move(*path);
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
    if (kind == Stimulus::Kind::restart_anew) renew_role(event.node, node, worker);
    if (!recorded_.empty())
      recorded_[event.node.value].waits = worker.host->waiting(event.node).has_value();
    worker.host->react(event.node, worker.stimulus, worker.reaction);
    if (!recorded_.empty())
      record(worker.stimulus, worker.reaction, *spec_.algorithm, recorded_[event.node.value]);
    const Payload message = std::exchange(worker.stimulus.message.payload, Payload{});
    if (worker.reaction.effects().empty() && worker.reaction.observations().empty()) return;
    apply(event.node, node, event.time, event.round, path_to(event, message, node, worker), worker);
  } catch (const std::exception& error) {
    fail(event, error.what(), worker);
  } catch (...) {
    fail(event, "an exception that is not a std::exception", worker);
  }
}

Path World::path_to(const Event& event,
                    const Payload& message,
                    const NodeState& node,
                    Worker& worker) {
  if (!follows_paths_) return {};
  if (node.busy_until > event.time && !work_paths_.empty()) return work_paths_[event.node.value];
  if (worker.stimulus.kind == Stimulus::Kind::timer) {
    Path path = std::move(worker.timer_path);
    path.extend(PathPart::timer, event.node, event.time);
    return path;
  }
  if (message) return LinkLayer::path_of(event, *departure_of(event), message);
  Path path;
  if (worker.stimulus.kind == Stimulus::Kind::start)  // late, if it stood still
    path.extend({PathPart::stopped, event.node, Time{}, event.time});
  return path;
}

void World::apply(
    NodeId id, NodeState& node, Time now, Round stimulus_round, Path path, Worker& worker) {
  const auto follow_work = [&] {
    if (!follows_paths_) return;
    if (!path) path.extend({PathPart::compute, id, now, now});
    path.extend(PathPart::compute, id, node.free_at(now));
  };
  follow_work();
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
      ObservationRecord record{node.free_at(now), id, std::move(observations[recorded])};
      if (follows_paths_ && std::holds_alternative<RoundBegan>(record.observation))
        path.begin_round(id, record.time);
      if (std::holds_alternative<RoundEnded>(record.observation)) record.path = path;
      if (NodeStops* stops = node.stops())
        stops->observations.push_back(std::move(record));
      else
        worker.observations.push_back(std::move(record));
    }
  };
  for (std::size_t i = 0; i < effects.size(); ++i) {
    if (recorded < observations.size()) record_observations(i);
    std::visit(
        Overload{
            [&](SendEffect& message) {
              const auto type = types_.number_of(message.payload.type());
              check_send(id, node, message);
              book_work(message.round);
              if (follows_paths_) {
                const bool last = i + 1 == effects.size() && recorded == observations.size() &&
                                  work_paths_.empty();
                const std::uint32_t number =
                    recorded_.empty() ? message.payload.number() : ++recorded_[id.value].sent;
                message.payload =
                    std::move(message.payload).sent(last ? std::move(path) : path, number);
              }
              send(id, node, now, type, message, worker);
            },
            [&](const SetTimerEffect& effect) {
              POSSE_CHECK(
                  effect.after.ns >= 0, "a timer was set {} ns in the past", -effect.after.ns);
              const Time from = effect.after_work ? node.free_at(now) : now;
              Event event = node.local_event(id, from + effect.after, TimerEvent{effect.timer});
              node.make_extras().timers.set(effect.timer, event.sequence, path);
              worker.sink->emit(std::move(event));
            },
            [&](const CancelTimerEffect& effect) {
              if (node.extras) node.extras->timers.cancel(effect.timer);
            },
            [&](const EvaluateEffect& evaluate) {
              unbooked_work += work(id,
                                    node,
                                    now,
                                    network().evaluation_time(id, node.evaluations, evaluate.count),
                                    worker);
              follow_work();
              node.evaluations += evaluate.count;
              worker.evaluations += evaluate.count;
            },
            [&](const WorkEffect& effect) {
              unbooked_work += work(id, node, now, effect.duration, worker);
              follow_work();
            },
            [&](const UseEffect&) {},
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
  if (recorded < observations.size()) record_observations(effects.size());
  if (NodeStops* stops = node.stops()) report_until(now, *stops, worker);
  book_work(stimulus_round);
  if (node.busy_until > now && !work_paths_.empty()) work_paths_[id.value] = std::move(path);
}

void World::finish(NodeId id, NodeState& node, Time now, Worker& worker) {
  if (node.finished) return;
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
  if (message.count == 0 || links_.map().connected(from, message.first, message.count)) return;
  for (std::uint32_t i = 0; i < message.count; ++i)
    POSSE_CHECK(links_.map().connected(from, NodeId{message.first.value + i}),
                "{} has no link to node {} ({} nodes) in this topology",
                nodes_.name(from),
                std::uint64_t{message.first.value} + i,
                nodes_.size());
}

Duration World::work(NodeId id, NodeState& node, Time now, Duration duration, Worker& worker) {
  POSSE_CHECK(!node.finished || duration.ns == 0, "{} works after it finished", nodes_.name(id));
  const double factor = network().straggler_factor(id);
  if (factor != 1.0) duration = Duration::seconds(duration.to_seconds() * factor);
  const Time from = node.free_at(now);
  node.busy_until = from + duration;
  if (spec_.trace_messages && duration.ns > 0) worker.work.push_back({id, from, node.busy_until});
  return duration;
}

void World::send(NodeId from,
                 NodeState& node,
                 Time now,
                 std::uint16_t type,
                 SendEffect& message,
                 Worker& worker) {
  if (liars_.any()) {
    const Path path = message.payload.path();
    liars_.speak(from, type, message.payload, node.free_at(now));
    if (path) message.payload = std::move(message.payload).with_path(path);
  }
  // Queue behind an earlier departure even if the work ends at this very time: a node's messages
  // leave in the order of sending.
  if (node.busy_until <= now && node.departures == 0)
    return post(from, node, now, type, std::move(message), worker);
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
                 SendEffect&& message,
                 Worker& worker) {
  if (follows_paths_ && node.stops() &&
      message.payload.path().until() < now) {  // it stood still before
    Path path = message.payload.path();
    path.extend(PathPart::stopped, from, now);
    message.payload = std::move(message.payload).with_path(std::move(path));
  }
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
  for (std::uint32_t i = ending_.first_newcomer(); i < nodes(); ++i)
    if (links_.ledger().of(links_.map().link(Ending::kHub, NodeId{i})).departed > 0)
      ending_.add_participant(NodeId{i});
  const Time now = states_[Ending::kHub.value].last_event;
  for (std::uint32_t i = 0; i < nodes(); ++i) look_at(NodeId{i}, now, host);
}

void World::look_at(NodeId node, Time now, const RoleHost& host) {
  if (!ending_.waits_for(node) || has_something_left(node, now, host)) return;
  const NodeState& state = states_[node.value];
  const NodeStops* stops = state.stops();
  ending_.settle(node,
                 std::max({now, state.last_event, state.busy_until}),
                 !state.finished && stops != nullptr && stops->endless > 0);
}

bool World::has_something_left(NodeId id, Time now, const RoleHost& host) const {
  // What a node holds while it stands still needs no look: messages to its role are still under
  // way, and nobody waits for the rest, acknowledgements and checks of the transport.
  const NodeState& node = states_[id.value];
  const NodeStops* stops = node.stops();
  if (node.finished || (stops && stops->endless > 0)) return false;
  const bool started = node.last_event.ns >= 0;
  const bool has_timers = node.extras && !node.extras->timers.empty();
  if (!started || node.departures > 0 || has_timers) return true;
  // A node that is not linked to the hub says itself whether it waits for something.
  if (links_.map().connected(Ending::kHub, id) && hub_sends_to(id, now)) return true;
  return host.waiting(id).has_value();
}

bool World::hub_sends_to(NodeId id, Time now) const {
  const NodeState& hub = states_[Ending::kHub.value];
  const bool stopped = hub.stops() != nullptr && hub.stops()->endless > 0;
  if (!stopped && hub.departures > 0) return true;
  return transport_ && !stopped ? transport_->expects(Ending::kHub, hub, id, states_[id.value], now)
                                : links_.carries(Ending::kHub, id);
}

RecordedRun World::take_recording(const RoleHost& host, const RunOutcome& outcome) {
  RecordedRun run;
  run.topology = topology_of(*spec_.algorithm, *spec_.protocol);
  for (const NodeGroup& group : nodes_.groups())
    run.groups.push_back({std::string(group.name), group.size, group.numbered, group.first_number});
  for (std::uint32_t i = 0; i < recorded_.size(); ++i)
    recorded_[i].waits = host.waiting(NodeId{i}).has_value();
  run.nodes = std::move(recorded_);
  run.obstacle = follows_paths_
                     ? obstacle_to_retiming(spec_, outcome)
                     : fmt::format("the run has more than {} nodes", kMostNodesWithPaths);
  for (const RecordedNode& node : run.nodes)
    if (run.obstacle.empty()) run.obstacle = node.obstacle;
  return run;
}

void World::book_in_flight(const Event& event, Worker& worker) {
  if (const auto departed = departure_of(event)) links_.book_in_flight(event, *departed, worker);
}

}  // namespace posse
