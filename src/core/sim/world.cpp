// SPDX-License-Identifier: Apache-2.0
#include "core/sim/world.hpp"

#include <algorithm>
#include <exception>
#include <string>

#include "core/base/overload.hpp"

namespace posse {
namespace {

/// Above it, nobody keeps the last messages of nodes that decide without a hub.
constexpr std::uint32_t kMostDecidersWithLastMessages = 10'000;
/// Of what is in a drawn order, so that it is in the caches when its turn comes.
constexpr std::size_t kFetchedAhead = 6;

/// The nodes whose decisions may be too early: 0 if none can.
std::uint32_t nodes_with_early_decisions(const SimulationSpec& spec, const Nodes& nodes) {
  const auto* constant = std::get_if<ConstantDuration>(&spec.compute.evaluation);
  const bool at_once = constant != nullptr && constant->value.ns == 0;
  return at_once || !spec.protocol->why_timers_decide_early().empty() ? 0 : nodes.size();
}

}  // namespace

World::World(const SimulationSpec& spec, const Nodes& nodes)
    : spec_(spec),
      nodes_(nodes),
      types_(*spec.algorithm),
      links_(spec, nodes, types_),
      tie_order_(spec, nodes, network()),
      states_(nodes.size()),
      follows_paths_(nodes.size() <= kMostNodesWithPaths),
      corruption_(spec.network.corrupt_faults, nodes, spec.seed),
      node_faults_(spec, nodes),
      service_(spec.in_wall_time ? std::vector<ServiceRule>() : spec.compute.service,
               nodes,
               types_,
               spec.seed),
      ending_(topology_of(*spec.algorithm, *spec.protocol), nodes.size()),
      last_messages_(ending_.has_hub()                               ? 1
                     : nodes.size() <= kMostDecidersWithLastMessages ? nodes.size()
                                                                     : 0),
      early_decisions_(nodes_with_early_decisions(spec, nodes)) {
  const auto* constant = std::get_if<ConstantDuration>(&spec.compute.evaluation);
  if (follows_paths_ && (constant == nullptr || constant->value.ns > 0 || service_.any()))
    work_paths_.resize(nodes.size());
  if (spec.record && follows_paths_) recorded_.resize(nodes.size());
  if (spec.network.transport != Transport::reliable) return;
  if (spec.network.derives_from)
    derives_from_.emplace(make_network(*spec.network.derives_from, spec, nodes, types_));
  const Network& known = derives_from_ ? *derives_from_ : network();
  TimeOuts timeouts(spec.network.retransmission,
                    known,
                    links_.size_bytes({}),
                    spec.in_wall_time ? typical_handling(spec.compute, nodes, types_, known)
                                      : std::vector<Duration>());
  transport_.emplace(std::move(timeouts),
                     spec.network.retransmission,
                     !spec.in_wall_time && !spec.stoppable_nodes && node_faults_.size() == 0 &&
                         network().fates_are_final() && !links_.traces(),
                     links_,
                     reached_);
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
    return worker.fail(event, "virtual time exceeded its range of 292 years", true);
  }
  // What only some runs have for the same behaviour is not counted: acknowledgements that are
  // events, and departures of nodes that may be stopped.
  const auto* departure = std::get_if<DepartureEvent>(&event.kind);
  if (!is_acknowledgement(event) && (departure == nullptr || departure->count > 0)) {
    ++worker.events;
    if (!std::holds_alternative<StartEvent>(event.kind) && event.time == node.last_event)
      ++worker.ties;
    node.last_event = event.time;
    // A branch would be hard to predict.
    const Time last = worker.last_event;
    worker.last_event = last < event.time ? event.time : last;
  }
  if (NodeStops* stops = node.stops()) {
    if (!stops->stopped()) report_until(event.time, *stops, worker);
    if (stops->stopped() && hold(event, *stops, worker)) {
      worker.stops_matter_from = std::min(worker.stops_matter_from, event.time);
      return;
    }
  }
  dispatch(event, node, worker);
}

void World::dispatch(Event& event, NodeState& node, Worker& worker) {
  // Without latency a message may come before the node's own start at the same instant.
  if (!node.started && !std::holds_alternative<FaultEvent>(event.kind))
    start(event.node, node, event.time, worker);
  std::visit(
      Overload{
          [&](StartEvent) {},  // see above
          [&](ArrivalEvent arrival) { on_arrival(event, arrival.departed, node, worker); },
          [&](const WatchedArrival&) { on_delivery(event, *departure_of(event), node, worker); },
          [&](RedundantArrival arrival) { on_delivery(event, arrival.departed, node, worker); },
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
  if (ending_.has_hub() && event.node == Ending::kHub) hub_departures_.pop_front();
  post(event.node,
       node,
       event.time,
       event.type,
       {departure.first, departure.count, event.round, std::move(event.payload)},
       worker);
}

void World::on_arrival(Event& event, Time departed, NodeState& node, Worker& worker) {
  if (!network().has_receive_rate(event.node)) return on_delivery(event, departed, node, worker);
  if (worker.tied.open && tie_order_.matters_to_line(event.node))
    worker.tied.arrivals.push_back(std::move(event));
  else
    links_.receive(std::move(event), departed, node, worker);
}

void World::on_delivery(Event& event, Time departed, NodeState& node, Worker& worker) {
  const bool acknowledges = is_acknowledgement(event);
  const bool discarded =
      !acknowledges && transport_ && !transport_->receive(event, departed, node, worker);
  const auto outcome = discarded ? MessageOutcome::discarded : MessageOutcome::delivered;
  links_.book_delivery(event, departed, outcome, node, worker);
  if (acknowledges || discarded) {
    links_.trace(event, departed, outcome, DropCause::none, worker);
    if (!acknowledges) return;
    worker.last_acknowledgement = std::max(worker.last_acknowledgement, event.time);
    transport_->on_acknowledgement(event, node, worker);
  } else if (worker.tied.open && tie_order_.matters_to_role(event.node)) {
    worker.tied.arrivals.push_back(std::move(event));
  } else {
    hand_on(event, departed, node, worker);
  }
}

void World::hand_on(Event& event, Time departed, NodeState& node, Worker& worker) {
  links_.trace(event, departed, MessageOutcome::delivered, DropCause::none, worker, ++node.handed);
  const auto add_to_hash = [&](std::uint64_t field) { node.hash = hash_combine(node.hash, field); };
  add_to_hash(static_cast<std::uint64_t>(event.time.ns));
  add_to_hash(std::uint64_t{event.source.value} << 32 | event.round.value);
  add_to_hash(types_.name_hash(event.type));
  add_to_hash(event.payload.hash());
  last_messages_.receives(event.node, event.source, event.round, event.type, event.time);
  worker.stimulus.message.from = event.source;
  worker.stimulus.message.round = event.round;
  worker.stimulus.message.payload = std::move(event.payload);
  let_role_react(event, Stimulus::Kind::message, node, worker);
}

bool World::end_tie(Worker& worker, const std::function<void()>& after_each) {
  TiedEvents& tied = worker.tied;
  tied.open = false;
  if (const Event* const kept = tied.first())
    end_tie(states_[kept->node.value], kept->time, worker, after_each);
  return std::exchange(tied.noticed, false);
}

void World::end_tie(NodeState& node,
                    Time instant,
                    Worker& worker,
                    const std::function<void()>& after_each) {
  TiedEvents& tied = worker.tied;
  const auto failed = [&] { return worker.failure || worker.interrupted; };
  if (!tied.arrivals.empty()) tie_order_.sort(tied, instant);
  const auto& in_turn = tied.in_turn;
  for (std::size_t i = 0; i < in_turn.size() && !failed(); ++i) {
    if (i + 2 * kFetchedAhead < in_turn.size()) {
      fetch_whole(*in_turn[i + 2 * kFetchedAhead].event);
      const Event& soon = *in_turn[i + kFetchedAhead].event;
      soon.payload.fetch_body();
      worker.host->expect_message(soon.node, soon.source);
    }
    Event& event = *in_turn[i].event;
    const Time departed = *departure_of(event);
    if (std::holds_alternative<ArrivalEvent>(event.kind) && network().has_receive_rate(event.node))
      links_.receive(std::move(event), departed, node, worker);
    else
      hand_on(event, departed, node, worker);
    if (after_each) after_each();
  }
  for (std::size_t i = 0; i < tied.timers.size() && !failed(); ++i)
    on_timer(tied.timers[i], std::get<TimerEvent>(tied.timers[i].kind).timer, node, worker);
  tied.clear();
}

void World::on_timer(Event& event, TimerId timer, NodeState& node, Worker& worker) {
  if (worker.tied.open && tie_order_.matters_to_role(event.node))
    return worker.tied.timers.push_back(std::move(event));
  if (!node.extras) return;
  auto path = node.extras->timers.expire(timer, event.sequence);
  if (!path) return;
  worker.timer_path = std::move(*path);
  worker.stimulus.timer = timer;
  let_role_react(event, Stimulus::Kind::timer, node, worker);
}

RecordedRun World::take_recording(const RoleHost& host, const RunOutcome& outcome) {
  RecordedRun run;
  run.topology = topology_of(*spec_.algorithm, *spec_.protocol);
  run.groups = nodes_.groups();
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
