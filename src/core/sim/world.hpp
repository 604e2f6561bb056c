// SPDX-License-Identifier: Apache-2.0
// The simulated world: nodes and their roles above a transport and a network. It defines what an
// event does. Kernels decide in which order and on which thread events are handled.
//
// All state has an owner: a node's state the node, a link's sending side its sender, its receiving
// side its receiver. Events at different nodes may therefore be handled concurrently.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "core/base/fetch.hpp"
#include "core/base/fifo.hpp"
#include "core/base/huge_pages.hpp"
#include "core/network/network.hpp"
#include "core/network/nodes.hpp"
#include "core/role/role.hpp"
#include "core/sim/branches.hpp"
#include "core/sim/early_decisions.hpp"
#include "core/sim/ending.hpp"
#include "core/sim/event.hpp"
#include "core/sim/last_messages.hpp"
#include "core/sim/link_layer.hpp"
#include "core/sim/message_corruption.hpp"
#include "core/sim/message_types.hpp"
#include "core/sim/node_faults.hpp"
#include "core/sim/node_state.hpp"
#include "core/sim/recording.hpp"
#include "core/sim/reliable_transport.hpp"
#include "core/sim/service_times.hpp"
#include "core/sim/simulation.hpp"
#include "core/sim/tie_order.hpp"
#include "core/sim/worker.hpp"

namespace posse {

class World {
 public:
  World(const SimulationSpec& spec, const Nodes& nodes);

  const SimulationSpec& spec() const { return spec_; }
  std::uint32_t nodes() const { return nodes_.size(); }
  const Nodes& names() const { return nodes_; }
  const NodeState& state(NodeId node) const { return states_[node.value]; }
  const MessageTypes& types() const { return types_; }
  const LinkLayer& links() const { return links_; }
  const Network& network() const { return links_.network(); }
  const Ending& ending() const { return ending_; }
  const ReachedBranches& reached() const { return reached_; }
  /// No event after it takes place, as far as is known.
  Time last_time() const {
    return std::min(spec_.limits.virtual_time, ending_.end().value_or(Time::max()));
  }
  const MessageCorruption& corruption() const { return corruption_; }

  /// The events with which the run begins, node by node: its start and its first faults.
  void begin(EventSink& sink);
  /// The arrival of an acknowledgement: an event in some runs only, which nothing but the transport
  /// and the ledger may notice.
  bool is_acknowledgement(const Event& event) const {
    // Of a node's own events some have no type.
    return event.type == types_.acknowledgement() && event.node != event.source;
  }
  /// False if the node's role will certainly not react to the event.
  bool may_react(const Event& event) const {
    return !(std::holds_alternative<RetransmitEvent>(event.kind) ||
             std::holds_alternative<DepartureEvent>(event.kind) || is_acknowledgement(event));
  }
  /// Nothing happens: the transport would check for the acknowledgement of a message, but has it.
  /// Kernels leave such events out.
  bool is_void(const Event& event) const {
    const auto* check = std::get_if<RetransmitEvent>(&event.kind);
    return check != nullptr && transport_->is_void(event, *check, states_[event.node.value]);
  }
  /// Fetches what `is_void` needs.
  [[gnu::always_inline]] void fetch_for_is_void(const Event& event) const {
    if (transport_) transport_->fetch_for_check(event);
  }
  /// Fetches what the event will need.
  [[gnu::always_inline]] void fetch_for(const Event& event) const {
    fetch(&states_[event.node.value]);
    if (event.node == event.source) return;
    event.payload.fetch_body();
    links_.fetch_for(event);
  }
  /// Handles one event. A role's failure is stored in the worker, not thrown.
  void handle(Event& event, Worker& worker);
  /// Whether both come at one node and instant, where order can matter. If so, kernels open
  /// Worker::tied before they handle `event`, and call `end_tie` after the last one.
  bool are_tied(const Event& event, const Event& next) const {
    return event.time == next.time && event.node == next.node && tie_order_.matters(event.node);
  }
  /// Whether events can be.
  bool ties_matter() const { return tie_order_.any(); }
  /// What was put aside takes effect; calls `after_each` after each event. True if more than
  /// acknowledgements had come.
  bool end_tie(Worker& worker, const std::function<void()>& after_each);
  /// Once the answer is known, kernels call these to find the end of the run. `follow_end`: after
  /// each event, if all nodes' earlier events have been handled; `tied`: others of its node and
  /// instant have not; then `follow_end_of_tie` after `end_tie`. Kernels with windows call
  /// `begin_ending` when the answer is known and `settle_if_done` after each event of a
  /// participant: settles it if it has finished or has nothing left to do, that is, no message,
  /// timer or send is under way to or from it, and it waits for nothing.
  void follow_end(const Event& event, const RoleHost& host, bool tied = false) {
    if (ending_.answer_known() && !is_acknowledgement(event)) settle_after(event, tied, host);
  }
  void follow_end_of_tie(NodeId node, Time now, const RoleHost& host) {
    if (!ending_.answer_known()) return;
    ending_.begun() ? settle_if_done(node, now, host) : begin_ending(host);
  }
  void begin_ending(const RoleHost& host);
  void settle_if_done(NodeId node, Time now, const RoleHost& host);

  /// Whether faults of the scenario or from outside may stop nodes.
  bool nodes_may_stop() const { return spec_.stoppable_nodes || node_faults_.size() > 0; }
  /// Deciding nodes that have not finished.
  std::vector<NodeId> undecided() const;
  const LastMessages& last_messages() const { return last_messages_; }

  /// Counts a message copy that is still on the way when the run ends.
  void book_in_flight(const Event& event, Worker& worker);
  /// True if the transport waits for acknowledgements beyond the limit of virtual time, which no
  /// event shows.
  bool waits_beyond_limit(const std::vector<Worker*>& workers) const {
    return std::any_of(workers.begin(), workers.end(), [this](const Worker* worker) {
      return worker->last_wait > spec_.limits.virtual_time;
    });
  }
  /// At the end of the run, when events have been handled until then: acknowledgements that would
  /// have arrived later are in flight.
  void conclude_foreseen(Time until, const std::vector<Worker*>& workers) {
    for (Worker* worker : workers) links_.conclude_foreseen(until, *worker);
  }
  /// At the end of the run: copies that wait at nodes that stand still are in flight. Reports the
  /// work that these nodes would still have done.
  void conclude_stopped_nodes(Worker& worker);

  // Of runs over several processes, each of which has some of the nodes.
  /// What a node elsewhere has done so far.
  void adopt(NodeId node, const NodeProgress& progress);
  LinkLedger& link_ledger() { return links_.ledger(); }
  /// What a node that begins anew in another process must know of its links.
  struct LinkStart {
    NodeId other;
    std::uint32_t transmissions = 0;  // that have left the node
    std::uint32_t received = 0;       // of the reliable transport: the first one to come
  };
  std::vector<LinkStart> link_starts(NodeId node) const;
  /// A node elsewhere begins anew: what it sent before is over.
  void expect_anew(NodeId node);
  /// A node here begins anew, after others have seen `progress` of it: it crashes, with the loss of
  /// its state, and restarts.
  void begin_anew(NodeId node,
                  const NodeProgress& progress,
                  const std::vector<LinkStart>& links,
                  Time now,
                  EventSink& sink);
  /// Whether a node here has work, timers or sends before it, or waits for something.
  bool is_busy(NodeId id, const RoleHost& host) const;

  /// What the nodes did, if the run is recorded. Call it once, at the end.
  RecordedRun take_recording(const RoleHost& host, const RunOutcome& outcome);

  /// Cuts or restores links, stops or restarts nodes at `intervention.at`, before which nothing is
  /// left to handle. Call it between two windows. Nodes: only with SimulationSpec::stoppable_nodes.
  void intervene(const Intervention& intervention, EventSink& sink);

 private:
  /// The event takes place, after the node's start.
  void dispatch(Event& event, NodeState& node, Worker& worker);
  void start(NodeId id, NodeState& node, Time now, Worker& worker);
  void on_departure(Event& event, DepartureEvent departure, NodeState& node, Worker& worker);
  [[gnu::always_inline]] inline void on_arrival(Event& event,
                                                Time departed,
                                                NodeState& node,
                                                Worker& worker);
  void on_delivery(Event& event, Time departed, NodeState& node, Worker& worker);
  /// The role gets what was delivered.
  void hand_on(Event& event, Time departed, NodeState& node, Worker& worker);
  void on_timer(Event& event, TimerId timer, NodeState& node, Worker& worker);
  void let_role_react(const Event& event, Stimulus::Kind kind, NodeState& node, Worker& worker);
  /// The path to a reaction of the node, or to the end of its work if it is busy. `message`: to
  /// which it reacts; empty if to something else.
  [[gnu::always_inline]] inline Path path_to(const Event& event,
                                             Payload&& message,
                                             const NodeState& node,
                                             Worker& worker);

  static void make_stoppable(NodeState& node);
  /// Emits the first beginning of a fault at each of its nodes.
  void begin_fault(std::size_t fault, EventSink& sink);
  void on_fault(const Event& event, FaultEvent fault, NodeState& node, Worker& worker);
  /// At a crash: the role may set them again when it restarts.
  static void drop_timers(NodeState& node, NodeStops& stops, Time now);
  void lose_state(NodeId id, NodeState& node, Time now, Worker& worker);
  /// Reports what a node that may be stopped has done until `time`.
  static void report_until(Time time, NodeStops& stops, Worker& worker);
  /// Traces the work that was done until `time`; what is left is later work.
  static void trace_work_until(Time time, NodeStops& stops, Worker& worker);
  /// Holds an event at a node that stands still; false if it takes place nevertheless.
  bool hold(Event& event, NodeStops& stops, Worker& worker);
  void restart(const Event& event, NodeState& node, Worker& worker);
  /// What reached a node that stood still happens when it goes on.
  static void hold_back(Event& held, Time until);
  void end_tie(NodeState& node,
               Time instant,
               Worker& worker,
               const std::function<void()>& after_each = nullptr);
  /// In place of the role whose state was lost.
  void renew_role(NodeId id, const NodeState& node, Worker& worker);

  class ReactionApplier;  // of a reaction
  /// What `duration` becomes at a straggler.
  Duration slowed(NodeId id, Duration duration) const;
  /// The node is busy for longer. Returns how long the work takes this node.
  Duration work(NodeId id, NodeState& node, Time now, Duration duration, Worker& worker);
  void settle_after(const Event& event, bool tied, const RoleHost& host);
  void settle_all(Time now, const RoleHost& host);
  void add_newcomer(NodeId node, Branch how);
  bool has_something_left(NodeId id, Time now, const RoleHost& host) const;
  /// Whether something from the hub is, or may get, on its way to a node that is linked to it.
  bool hub_sends_to(NodeId id, Time now) const;
  [[gnu::always_inline]] inline void check_send(NodeId from,
                                                const NodeState& node,
                                                const SendEffect& message) const;
  /// Posts the message now or, if the node is busy, when it is free.
  [[gnu::always_inline]] inline void send(NodeId from,
                                          NodeState& node,
                                          Time now,
                                          std::uint16_t type,
                                          SendEffect& message,
                                          Worker& worker);
  /// When the node's work is done: a send (DepartureEvent in `content`), or, at nodes that may be
  /// stopped, the node's finish (to 0 nodes).
  void plan_departure(NodeId from, NodeState& node, Time now, Event&& content, Worker& worker);
  void finish_after_work(NodeId id, NodeState& node, Time now, Worker& worker);
  void finish(NodeId id, NodeState& node, Time now, Worker& worker);
  /// First transmission to each receiver.
  void post(NodeId from,
            NodeState& node,
            Time now,
            std::uint16_t type,
            SendEffect&& message,
            Worker& worker);

  const SimulationSpec& spec_;
  const Nodes& nodes_;
  MessageTypes types_;
  LinkLayer links_;
  TieOrder tie_order_;
  ReachedBranches reached_;
  std::optional<Network> derives_from_;         // NetworkConfig::derives_from
  std::optional<ReliableTransport> transport_;  // else datagrams
  std::vector<NodeState, HugePages<NodeState>> states_;
  bool follows_paths_;
  std::vector<RecordedNode> recorded_;  // by node; empty if the run is not recorded
  std::vector<Path>
      work_paths_;  // by node, to the end of its latest work; empty if none takes time
  MessageCorruption corruption_;
  NodeFaults node_faults_;
  ServiceTimes service_;
  Ending ending_;
  Fifo<DepartureEvent> hub_departures_;  // what the hub sends when its work is done, in order
  LastMessages last_messages_;
  EarlyDecisions early_decisions_;
};

}  // namespace posse
