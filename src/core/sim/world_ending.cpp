// SPDX-License-Identifier: Apache-2.0
// When a run is over: looks for nodes that still have something to do after the answer is known.
#include <algorithm>

#include "core/sim/world.hpp"

namespace posse {

void World::settle_after(const Event& event, bool tied, const RoleHost& host) {
  if (!ending_.begun()) return begin_ending(host);
  if (!tied) settle_if_done(event.node, event.time, host);
  if (!ending_.has_hub() || event.node != Ending::kHub) return;
  if (const auto* check = std::get_if<RetransmitEvent>(&event.kind)) {
    reached_.add(Branch::hub_repeated_after_answer);
    settle_if_done(check->to, event.time, host);
  }
  // While the hub has messages to send, no participant is settled, whoever they are for.
  const bool last_departs = std::holds_alternative<DepartureEvent>(event.kind) &&
                            states_[Ending::kHub.value].departures == 0;
  if (!last_departs && !std::holds_alternative<FaultEvent>(event.kind)) return;
  reached_.add(last_departs ? Branch::hub_departed_after_answer : Branch::hub_stopped_after_answer);
  settle_all(event.time, host);
}

void World::settle_all(Time now, const RoleHost& host) {
  for (std::uint32_t i = 0; i < nodes(); ++i) settle_if_done(NodeId{i}, now, host);
}

void World::begin_ending(const RoleHost& host) {
  ending_.begin();
  if (!ending_.has_hub()) return reached_.add(Branch::ended_without_hub);
  if (!ending_.a_round_was_closed()) reached_.add(Branch::ended_before_a_round);
  if (ending_.leaves_out_late_members()) reached_.add(Branch::late_member_left_out);
  links_.answered_at(ending_.answered_at());
  const std::uint32_t newcomer = ending_.first_newcomer();
  for (std::uint32_t i = newcomer; i < nodes(); ++i)
    if (links_.ledger().of(links_.map().link(Ending::kHub, NodeId{i})).departed > 0)
      add_newcomer(NodeId{i}, Branch::newcomer_waited_for);
  for (const DepartureEvent& planned : hub_departures_)
    for (std::uint32_t i = std::max(newcomer, planned.first.value);
         i < planned.first.value + planned.count;
         ++i)
      add_newcomer(NodeId{i}, Branch::newcomer_still_to_be_told);
  settle_all(states_[Ending::kHub.value].last_event, host);
}

void World::add_newcomer(NodeId node, Branch how) {
  ending_.add_participant(node);
  reached_.add(how);
}

void World::settle_if_done(NodeId node, Time now, const RoleHost& host) {
  if (!ending_.waits_for(node) || has_something_left(node, now, host)) return;
  const NodeState& state = states_[node.value];
  const NodeStops* stops = state.stops();
  const bool down = !state.finished && stops != nullptr && stops->endless > 0;
  ending_.settle(node, std::max({now, state.last_event, state.busy_until}), down);
  reached_.add(down             ? Branch::settled_down
               : state.finished ? Branch::settled_finished
                                : Branch::settled_idle);
}

void World::adopt(NodeId node, const NodeProgress& progress) {
  NodeState& state = states_[node.value];
  const bool finishes = progress.finished && !state.finished;
  state.progress() = progress;
  if (finishes && ending_.decides(node)) ending_.decided(state.busy_until);
}

bool World::is_busy(NodeId id, const RoleHost& host) const {
  const NodeState& node = states_[id.value];
  if (node.finished) return false;
  return node.last_event.ns < 0 || node.departures > 0 ||
         (node.extras && !node.extras->timers.empty()) || host.waiting(id).has_value();
}

bool World::has_something_left(NodeId id, Time now, const RoleHost& host) const {
  // What a node holds while it stands still needs no look: messages to its role are still under
  // way, and nobody waits for the rest, acknowledgements and checks of the transport.
  const NodeState& node = states_[id.value];
  const NodeStops* stops = node.stops();
  if (stops && stops->endless > 0) return false;
  if (stops && stops->stopped() && node.busy_until > stops->since) return true;  // work goes on
  if (node.finished) return false;
  const bool started = node.last_event.ns >= 0;
  const bool has_timers = (node.extras && !node.extras->timers.empty()) ||
                          (stops && stops->timers_dropped);  // on_restart sets them again
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

}  // namespace posse
