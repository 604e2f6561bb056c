// The simulated world: nodes, their transport, the network between them and the accounts. It
// defines what an event does. Kernels decide in which order and on which thread events are handled.
//
// All state has an owner: a node's state the node, a link's sending side its sender, its receiving
// side its receiver. Events at different nodes may therefore be handled concurrently.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/network/ledger.hpp"
#include "core/network/network.hpp"
#include "core/network/nodes.hpp"
#include "core/network/sequence_set.hpp"
#include "core/role/role.hpp"
#include "core/sim/event.hpp"
#include "core/sim/simulation.hpp"

namespace posse {

/// The input of a role's reaction.
struct Stimulus {
  enum class Kind : std::uint8_t { start, message, timer } kind = Kind::start;
  TimerId timer;
  Message message;
};

/// Passes a stimulus to a role, by a function call or through a CAF actor's mailbox.
class RoleHost {
 public:
  virtual ~RoleHost() = default;
  /// The role's reaction is in `reaction` when this returns. A role that throws makes the host
  /// throw the same exception.
  virtual void react(NodeId node, const Stimulus& stimulus, Reaction& reaction) = 0;
  /// For reports; called when nothing runs.
  virtual std::optional<Waiting> waiting(NodeId node) const = 0;
};

struct ObservationRecord {
  Time time;
  NodeId node;
  Observation observation;
};

/// A role's failure. Of several failures the first in the total order of events counts.
struct RoleFailure {
  Time time;
  NodeId node, source;
  std::uint32_t sequence = 0;
  std::string what;
};
bool before(const RoleFailure& a, const RoleFailure& b);

/// A message that is lost and will not be repeated, for the report of a stalled run.
struct LostMessage {
  Time left;  // first transmission
  NodeId from, to;
  std::uint16_t type = 0;
  Round round;
  DropCause cause = DropCause::none;
  std::uint32_t tries = 0;  // > 0: the transport gave up after so many transmissions
};

/// The lost messages that are most relevant to a report: those of the latest rounds, and within a
/// round the first. The choice does not depend on the order of additions, nor on their distribution
/// over several lists.
class LostMessages {
 public:
  void add(const LostMessage& message);
  /// The most relevant first.
  std::vector<LostMessage> sorted() const;

 private:
  static constexpr std::size_t kKept = 4096;
  std::vector<LostMessage> heap_;  // the least relevant on top
};

/// A ring of the fates decided last.
class RecentMessages {
 public:
  /// Returns a record to fill in: a new one, or the oldest one.
  MessageRecord& next() {
    if (ring_.size() < kRecentMessages) return ring_.emplace_back();
    MessageRecord& oldest = ring_[next_];
    next_ = (next_ + 1) % kRecentMessages;
    return oldest;
  }
  const std::vector<MessageRecord>& in_any_order() const { return ring_; }

 private:
  std::vector<MessageRecord> ring_;
  std::size_t next_ = 0;
};

/// The working state and the counts of one thread.
struct Worker {
  explicit Worker(std::size_t types) : ledger(types) {}
  Ledger ledger;
  Reaction reaction;
  Stimulus stimulus;
  EventSink* sink = nullptr;
  RoleHost* host = nullptr;
  std::vector<ObservationRecord> observations;
  std::vector<MessageRecord> messages;
  RecentMessages recent;
  LostMessages lost;
  std::optional<RoleFailure> failure;
  std::uint64_t events = 0, deliveries = 0, ties = 0, evaluations = 0;
  std::uint32_t finished = 0;
  Time finished_at, last_event;
};

class World {
 public:
  World(const SimulationSpec& spec, const Nodes& nodes);

  std::uint32_t nodes() const { return nodes_.size(); }
  const Nodes& names() const { return nodes_; }
  const Network& network() const { return network_; }
  const std::vector<std::string_view>& type_names() const { return type_names_; }
  std::size_t types() const { return type_names_.size(); }

  /// The events with which a run begins: one start per node.
  Event start_event(NodeId node) const;
  /// Handles one event. A role's failure is stored in the worker, not thrown.
  void handle(Event& event, Worker& worker);
  /// Counts a message copy that is still on the way when the run ends.
  void book_in_flight(const Event& event, Worker& worker);

  /// Cuts or mends links from `at` on, between two windows.
  void intervene(const Intervention& intervention);

  /// Adds up the workers between two windows. The observations' part of `snapshot.outcome` must be
  /// filled in. All events before `settled` have been handled.
  void fill_snapshot(const std::vector<Worker*>& workers,
                     Time settled,
                     RunSnapshot& snapshot) const;
  void recent_messages(const std::vector<Worker*>& workers, RunSnapshot& snapshot) const;
  bool all_finished(const std::vector<Worker*>& workers) const;
  /// Adds up the workers, checks the accounts and fills in everything except the observations'
  /// part.
  void conclude(std::vector<Worker*> workers,
                RunStatus status,
                std::string report,
                SimulationResult& result);
  /// The report of a run that cannot continue.
  std::string stall_report(const std::vector<Worker*>& workers, const RoleHost& host) const;
  LinkLedger& link_ledger() { return link_ledger_; }

 private:
  struct PendingTimer {
    TimerId timer;
    std::uint64_t generation;
  };
  /// State that only some nodes need.
  struct Extras {
    std::vector<PendingTimer> timers;
    SequenceSets::Early early_received, early_acknowledged;
  };
  struct Node {
    Time busy_until;
    Time last_event{-1};
    Time last_reaction;
    std::uint64_t hash = 0;  // of its role's inputs, in order
    std::uint64_t evaluations = 0;
    std::unique_ptr<Extras> extras;
    std::uint32_t counter = 0;     // of local events
    std::uint32_t departures = 0;  // sends that wait for the end of the node's work
    bool finished = false;
  };

  Extras& extras(Node& node) {
    if (!node.extras) node.extras = std::make_unique<Extras>();
    return *node.extras;
  }
  std::uint16_t type_number(const MessageType& type) const;
  void on_arrival(Event& event, Node& node, Worker& worker);
  void on_delivery(Event& event, Node& node, Worker& worker);
  void on_acknowledgement(const Event& event, Node& node, Worker& worker);
  void on_departure(Event& event, Node& node, Worker& worker);
  void on_retransmit(Event& event, Node& node, Worker& worker);
  void let_role_react(const Event& event, Node& node, Worker& worker);
  void fail(const Event& event, std::string what, Worker& worker);
  void check_send(NodeId from, const SendEffect& send) const;
  Duration retransmission_wait(std::uint32_t tries) const;
  void apply(NodeId id, Node& node, Time now, Round round, Worker& worker);
  void start_work(NodeId id, Node& node, Time now, Duration work, Duration& total);
  void set_timer(NodeId id, Node& node, Time now, const SetTimerEffect& effect, Worker& worker);

  struct Outgoing {
    NodeId from, to;
    std::uint16_t type = 0;
    Round round;
    std::uint32_t number = 0;  // of the reliable transport
    std::uint32_t tries = 0;   // transmissions before this one
    bool acknowledgement = false;
    Payload payload;
  };
  /// First transmission of a role's message.
  void post(NodeId from,
            NodeId to,
            std::uint16_t type,
            Round round,
            const Payload& payload,
            Time now,
            Worker& worker);
  void transmit(const Outgoing& message, Time now, Worker& worker);
  void count_drop(Ledger::Count& count, DropCause cause);
  void add_up(const std::vector<Worker*>& workers, RunOutcome& out) const;
  void summarise(const Ledger& ledger, RunOutcome& out) const;
  void trace(const Event& event, MessageOutcome outcome, Worker& worker) {
    if (traces_) keep_record(event, outcome, DropCause::none, worker);
  }
  void trace_drop(const Event& event, DropCause cause, Worker& worker) {
    if (traces_) keep_record(event, MessageOutcome::dropped, cause, worker);
  }
  void keep_record(const Event& event, MessageOutcome outcome, DropCause cause, Worker& worker);
  void emit_local(NodeId id, Node& node, Event&& event, Worker& worker);
  std::uint64_t size_bytes(const Payload& payload) const {
    return header_bytes_ + (payload ? payload.size_bytes() : kAcknowledgementBytes);
  }

  static constexpr std::uint64_t kAcknowledgementBytes = 8;  // the acknowledged number, as an index

  const SimulationSpec& spec_;
  const Nodes& nodes_;
  LinkMap links_;
  std::vector<const MessageType*> types_;  // the acknowledgement has none
  std::vector<std::string_view> type_names_;
  std::vector<std::uint64_t> type_hashes_;  // of the names
  std::uint16_t acknowledgement_type_;
  bool reliable_;
  std::uint64_t header_bytes_;
  bool traces_;
  Network network_;
  LinkLedger link_ledger_;
  std::vector<Node> state_;
  std::vector<std::uint32_t> next_number_;  // by link, at the sender (reliable)
  SequenceSets received_;                   // by link, at the receiver
  SequenceSets acknowledged_;               // by link, at the sender
};

/// A host that calls roles directly.
class DirectHost final : public RoleHost {
 public:
  DirectHost(const Protocol& protocol, std::uint32_t nodes);
  void react(NodeId node, const Stimulus& stimulus, Reaction& reaction) override;
  std::optional<Waiting> waiting(NodeId node) const override {
    return roles_[node.value]->waiting();
  }

 private:
  std::vector<std::unique_ptr<Role>> roles_;
};

/// Calls the member function of `role` for this stimulus.
void call_role(Role& role, const Stimulus& stimulus, Reaction& reaction);

}  // namespace posse
