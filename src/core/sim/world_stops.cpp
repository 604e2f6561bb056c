// SPDX-License-Identifier: Apache-2.0
// Nodes that stand still: the beginnings and ends of their faults, what reaches them meanwhile, and
// how they go on.
#include <algorithm>
#include <utility>

#include "core/base/check.hpp"
#include "core/sim/world.hpp"

namespace posse {

void World::make_stoppable(NodeState& node) {
  auto& stops = node.make_extras().stops;
  if (!stops) stops = std::make_unique<NodeStops>();
}

void World::begin_fault(std::size_t fault, EventSink& sink) {
  const NodeFault& config = node_faults_[fault];
  for (const std::uint32_t i : node_faults_.members(fault)) {
    make_stoppable(states_[i]);
    POSSE_CHECK(!config.loses_state || spec_.protocol->can_lose_state(NodeId{i}),
                "{} can't lose its state",
                nodes_.name(NodeId{i}));
    if (auto begins = node_faults_.beginning(fault, NodeId{i}, 0, config.when.at))
      sink.emit(std::move(*begins));
  }
}

void World::on_fault(const Event& event, FaultEvent fault, NodeState& node, Worker& worker) {
  const NodeFault& config = node_faults_[fault.fault];
  const bool from_outside = node_faults_.is_from_outside(fault.fault);
  NodeStops& stops = *node.stops();
  const bool crash = config.kind == NodeFaultKind::crash;
  auto& under_way = crash ? stops.crashes : stops.pauses;
  auto& count = crash ? worker.fault_counts.crash : worker.fault_counts.pause;
  ++(fault.begins ? count.begun : count.ended);
  if (!from_outside)
    worker.faults.push_back({event.time, FaultOf::nodes, fault.fault, fault.begins, event.node});
  if (fault.begins) {
    if (!stops.stopped()) {
      stops.since = event.time;
      const bool works = node.busy_until > event.time;
      if (works && ending_.works_longer(event.node))
        reached_.add(Branch::stop_delayed_settled_work);
      if (works || !node.extras->timers.empty())
        worker.stops_matter_from = std::min(worker.stops_matter_from, event.time);
    }
    ++under_way;
    if (auto end = node_faults_.end(event))
      worker.sink->emit(std::move(*end));
    else
      ++stops.endless;
    if (!crash) return;
    stops.crashed = true;
    drop_timers(node, stops, event.time);
    if (config.loses_state && node.started && !node.finished)
      lose_state(event.node, node, event.time, worker);
    for (Event& held : std::exchange(stops.held, {})) hold(held, stops, worker);
    return;
  }
  --under_way;
  if (from_outside) --stops.endless;
  if (auto next = node_faults_.beginning(fault.fault, event.node, fault.occurrence + 1, event.time))
    worker.sink->emit(std::move(*next));
  if (!stops.stopped()) restart(event, node, worker);
}

void World::drop_timers(NodeState& node, NodeStops& stops, Time now) {
  for (const DroppedTimer& dropped : node.extras->timers.drop(now, stops.since)) {
    stops.timers_dropped = true;
    stops.dropped_timers.push_back(dropped);
  }
}

void World::lose_state(NodeId id, NodeState& node, Time now, Worker& worker) {
  NodeStops& stops = *node.stops();
  stops.state_lost = true;
  stops.dropped_timers.clear();
  early_decisions_.lost(id, stops.since);
  stops.last_state_lost = now;
  node.busy_until = std::min(node.busy_until, stops.since);
  node.departures = 0;
  stops.departures.clear();
  if (ending_.has_hub() && id == Ending::kHub) hub_departures_.clear();
  trace_work_until(stops.since, stops, worker);
  stops.work.clear();
  // The node's evaluations were made, but nobody knows what followed from them.
  stops.observations.erase_if([](const ObservationRecord& record) {
    return !std::holds_alternative<PullsObserved>(record.observation);
  });
  for (ObservationRecord& record : stops.observations) {
    record.time = now;
    record.began = std::min(record.began, now);
  }
  report_until(now, stops, worker);
  if (transport_ && ending_.has_hub()) transport_->forget_sent(id, node, Ending::kHub);
}

void World::report_until(Time time, NodeStops& stops, Worker& worker) {
  for (; !stops.observations.empty() && stops.observations.front().time <= time;
       stops.observations.pop_front())
    worker.observations().push_back(std::move(stops.observations.front()));
}

void World::trace_work_until(Time time, NodeStops& stops, Worker& worker) {
  for (WorkRecord& work : stops.work) {
    if (work.from >= time) continue;
    worker.work.push_back({work.node, work.from, std::min(work.until, time)});
    work.from = time;
  }
  std::erase_if(stops.work, [](const WorkRecord& work) { return work.until <= work.from; });
}

bool World::hold(Event& event, NodeStops& stops, Worker& worker) {
  if (std::holds_alternative<FaultEvent>(event.kind)) return false;
  if (std::holds_alternative<DepartureEvent>(event.kind)) return true;  // planned anew later
  if (stops.crashes > 0) {
    if (const auto departed = departure_of(event)) {
      links_.drop_at_receiver(
          event, *departed, DropCause::crash, states_[event.node.value], worker);
      return true;
    }
    if (std::holds_alternative<TimerEvent>(event.kind)) return true;
  }
  stops.held.push_back(std::move(event));
  return true;
}

void World::restart(const Event& event, NodeState& node, Worker& worker) {
  NodeStops& stops = *node.stops();
  const Duration stood = event.time - stops.since;
  trace_work_until(stops.since, stops, worker);
  for (WorkRecord& rest : stops.work) rest = {rest.node, rest.from + stood, rest.until + stood};
  for (ObservationRecord& record : stops.observations) {
    record.time = record.time + stood;
    if (record.began >= stops.since) record.began = record.began + stood;
  }
  if (node.busy_until > stops.since) {
    node.busy_until = node.busy_until + stood;
    if (!work_paths_.empty() && work_paths_[event.node.value])
      work_paths_[event.node.value].extend(PathPart::stopped, event.node, node.busy_until);
  }
  ending_.goes_on(event.node);
  early_decisions_.stood(event.node, stops.since, stood);
  node.extras->timers.put_off(stops.since, stood, [&](TimerId timer, Time due) {
    Event put_off = node.local_event(event.node, due, TimerEvent{timer});
    const std::uint32_t sequence = put_off.sequence;
    worker.sink->emit(std::move(put_off));
    return sequence;
  });
  stops.timers_dropped = false;
  ++stops.epoch;
  for (Event& departure : stops.departures) {
    departure.time = departure.time + stood;
    Event planned = node.local_event(event.node, departure.time, departure.kind);
    planned.number = stops.epoch;
    worker.sink->emit(std::move(planned));
  }
  const auto kind = std::exchange(stops.state_lost, false) ? Stimulus::Kind::restart_anew
                                                           : Stimulus::Kind::restart;
  if (std::exchange(stops.crashed, false) && node.started)
    let_role_react(event, kind, node, worker);
  auto all_held = std::exchange(stops.held, {});
  const bool tied = std::exchange(worker.tied.open, false);
  for (std::size_t i = 0; i < all_held.size(); ++i) {
    Event& held = all_held[i];
    const Time came = held.time;
    const bool more = i + 1 < all_held.size() && are_tied(held, all_held[i + 1]);
    worker.tied.open = worker.tied.open || more;
    hold_back(held, event.time);
    dispatch(held, node, worker);
    if (more || !worker.tied.open) continue;
    worker.tied.open = false;
    end_tie(node, came, worker);
  }
  worker.tied.open = tied;
}

void World::hold_back(Event& held, Time until) {
  if (const auto departed = departure_of(held); departed && held.payload && held.payload.path()) {
    Path path = LinkLayer::path_of(held, *departed, held.payload.path());
    path.extend(PathPart::stopped, held.node, until);
    held.payload = std::move(held.payload).with_path(std::move(path));
  }
  held.time = until;
}

void World::renew_role(NodeId id, const NodeState& node, Worker& worker) {
  worker.host->replace(id, spec_.protocol->make_role_anew(id, node.evaluations));
}

void World::conclude_stopped_nodes(Worker& worker) {
  for (const NodeState& node : states_)
    if (NodeStops* stops = node.stops()) {
      for (const Event& event : stops->held) book_in_flight(event, worker);
      report_until(Time::max(), *stops, worker);
      trace_work_until(stops->stopped() ? stops->since : Time::max(), *stops, worker);
    }
}

std::vector<World::LinkStart> World::link_starts(NodeId node) const {
  std::vector<LinkStart> starts;
  const LinkMap& map = links_.map();
  for (std::uint32_t i = 0; i < nodes(); ++i) {
    const NodeId other{i};
    if (other == node || !map.connected(node, other)) continue;
    starts.push_back(
        {other,
         static_cast<std::uint32_t>(links_.ledger().of(map.link(node, other)).departed),
         transport_ && map.connected(other, node)
             ? transport_->first_unacknowledged(other, states_[other.value], node)
             : 0});
  }
  return starts;
}

void World::expect_anew(NodeId node) {
  if (!transport_) return;
  for (std::uint32_t i = 0; i < nodes(); ++i)
    if (i != node.value && links_.map().connected(node, NodeId{i}))
      transport_->receive_from(node, NodeId{i}, 0, states_[i]);
}

void World::begin_anew(NodeId node,
                       const NodeProgress& progress,
                       const std::vector<LinkStart>& links,
                       Time now,
                       EventSink& sink) {
  NodeState& state = states_[node.value];
  state.progress() = progress;
  for (const LinkStart& link : links) {
    if (!links_.map().connected(node, link.other)) continue;
    links_.ends().transmissions(links_.map().link(node, link.other)) = link.transmissions;
    if (transport_) transport_->receive_from(link.other, node, link.received, state);
  }
  if (!progress.started) return;
  Intervention anew;
  anew.groups = {{nodes_.name(node)}};
  anew.at = now;
  anew.action = Intervention::Action::forget;
  intervene(anew, sink);
  anew.at = now + Duration{1};
  anew.action = Intervention::Action::restart;
  intervene(anew, sink);
}

std::vector<NodeId> World::undecided() const {
  std::vector<NodeId> nodes;
  for (std::uint32_t i = 0; i < this->nodes(); ++i)
    if (!states_[i].finished && ending_.decides(NodeId{i})) nodes.push_back(NodeId{i});
  return nodes;
}

void World::intervene(const Intervention& intervention, EventSink& sink) {
  using Action = Intervention::Action;
  if (intervention.action == Action::cut)
    links_.network().cut(intervention.groups, intervention.at);
  if (intervention.action == Action::restore)
    links_.network().restore(intervention.groups, intervention.at);
  if (!intervention.is_of_nodes()) return;
  if (intervention.action != Action::restart)
    return begin_fault(node_faults_.add(intervention), sink);
  for (Event& end : node_faults_.end_all(intervention)) sink.emit(std::move(end));
}

}  // namespace posse
