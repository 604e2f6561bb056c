// SPDX-License-Identifier: Apache-2.0
// The world of a run in wall time: the same accounts, faults, transport and ends as in virtual
// time, shared by node actors that run at the same time on several threads.
//
// A run may be spread over several processes, each with a world of its own and some of the nodes.
// One of them keeps the accounts: it adopts what the others report.
//
// Actors take turns in the world, one at a time and briefly; while their roles react, which may
// take long, they are outside. An event's time is the wall time since the run's start at which it
// is handled.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

#include "actors/host/report.hpp"
#include "actors/host/service_book.hpp"
#include "core/base/interruption.hpp"
#include "core/sim/run_control.hpp"
#include "core/sim/world.hpp"

namespace posse {

/// An event that is to happen, for the node's actor to take its turn with.
struct Appointment {
  std::uint64_t number = 0;  // of the event in the world
  NodeId node;
  std::chrono::steady_clock::time_point due;
  std::optional<Event> copy;  // of a message that goes to the node
  Duration propagation;       // of the copy, on its link
};

/// How one turn of a node's actor went.
struct Turn {
  using TimePoint = std::chrono::steady_clock::time_point;
  TimePoint came;                  // its message; or when its event was due
  TimePoint free;                  // the actor was, from then on; `came` if it was before
  TimePoint began;                 // when the actor took it up
  TimePoint decoded;               // `began` if there is no message
  std::optional<NodeId> from;      // of a message
  std::uint32_t transmission = 0;  // on its link
  Time left;                       // of a message, as in its envelope
  // Filled in by the world, if the role reacts.
  bool reacted = false;
  TimePoint reaction_began, reaction_ended;
  std::uint32_t cause = 0;  // as in ServiceSample
  bool sends = false;
  std::uint64_t evaluations = 0;
  // Filled in by the actor.
  struct Encoded {
    std::uint16_t type = 0;
    TimePoint done;
  };
  std::vector<Encoded> encoded;
  TimePoint ended;
};

class WallWorld {
 public:
  using Clock = std::chrono::steady_clock;
  /// `roles`: by node; null for nodes in other processes. `progress` may be null. `interruption`:
  /// which ends reactions early; may be null.
  WallWorld(const SimulationSpec& spec,
            const Nodes& nodes,
            std::vector<std::unique_ptr<Role>> roles,
            Progress* progress,
            Watch& watch,
            const Interruption* interruption);
  ~WallWorld();

  const MessageTypes& types() const { return world_.types(); }

  /// The run starts at `start`. Returns the first events.
  std::vector<Appointment> begin(std::chrono::steady_clock::time_point start,
                                 const std::vector<Resumption>& resumed = {});
  /// The event `number` happens at its node, whose actor calls this. `arrived`: what came, if it is
  /// a message. Returns what follows.
  std::vector<Appointment> take_turn(std::uint64_t number, Turn& turn, Payload arrived = {});
  /// A copy comes from another process. Whether it may has been checked.
  std::vector<Appointment> receive(Event copy, Turn& turn);
  /// The time in the run.
  Time time_of(Clock::time_point when) const;
  /// Measures how long things take, if that is wanted.
  void measure(NodeId node, const Turn& turn);
  /// Whether a message is one between nodes that exist and are linked, in a possible round.
  /// Thread-safe.
  bool is_sound(const Event& copy) const;
  /// Whether a message may come to this process from another one.
  bool may_come(const Event& copy) const;
  /// Something outside the world failed: the run does.
  void fail(std::exception_ptr failure);

  /// Watches over the run until it is over, from the calling thread, and passes on what observers
  /// ask for. `keep`: takes the appointments that this brings about. `answered`: called when the
  /// answer is known, which may be before the end. `patience`: how long a run that can't go on
  /// waits for processes that were lost.
  void watch_over(const std::function<void(std::vector<Appointment>)>& keep,
                  const std::function<void()>& answered = {},
                  std::chrono::milliseconds patience = {});
  /// After that. Rethrows what failed outside the world.
  SimulationResult conclude();

  // In the process that keeps the accounts.
  /// Which process has each node: 0 is this one, kNoProcess none. All may change.
  void expect(std::vector<std::size_t> process_of_node);
  static constexpr std::size_t kNoProcess = ~std::size_t{0};
  /// The process of these nodes is gone: they have crashed, and lost their state if they can.
  void lose(const std::vector<NodeId>& nodes);
  /// What another process must know to take the nodes over.
  std::vector<Resumption> resumptions(const std::vector<NodeId>& nodes);
  /// Another process has taken the nodes over.
  void find(const std::vector<NodeId>& nodes);
  /// What `process`, counted from 1, has done since its report before. False if it doesn't fit the
  /// run.
  bool adopt(std::size_t process, ProcessReport report);

  // In every process.
  /// Messages from these nodes begin anew.
  void expect_anew(const std::vector<NodeId>& nodes);
  /// Whether what comes from a node is to be reported.
  void report_what_comes_from(std::vector<bool> nodes);

  // In the other processes.
  /// What happened here since the report before, unless nothing did. Waits for up to `patience`
  /// until something has; if `until_idle`, until nothing is under way.
  std::optional<ProcessReport> next_report(std::chrono::milliseconds patience, bool until_idle);
  /// The run is over here. The last report.
  ProcessReport end();

 private:
  class TurnContext;  // what an actor works with during its turn
  class Ending;

  /// The present, never before what was handled. Under the lock, as everything below.
  Time now();
  TurnContext& free_context();
  void keep_observations(Worker& worker);
  std::vector<Appointment> appoint(TurnContext& context);
  bool decided();
  bool is_over(Time at) const;
  std::vector<Worker*> workers();
  std::vector<Appointment> handle(Event event, Turn& turn, std::unique_lock<std::mutex>& lock);
  /// The path of a message to its receiver's role: encoding and decoding are work of their nodes.
  void follow_handling(Event& copy, const Turn& turn) const;
  bool is_here(NodeId node) const { return roles_[node.value] != nullptr; }
  bool idle() const { return under_way_.empty() && reactions_ == 0; }
  bool idle_everywhere() const;
  void close(std::unique_lock<std::mutex>& lock);
  void account_for_missing();
  void happen_in_shadow(const Intervention& what);
  /// Of a copy that comes from another process.
  void note_crossing(const Event& copy);
  void take_down(const Crossing& crossing);
  void book(const Crossing& crossing);
  bool is_reported(const Crossing& crossing) const;
  ProcessReport make_report(bool last);

  World world_;
  RunControl control_;
  std::vector<std::unique_ptr<Role>> roles_;  // by node
  std::unique_ptr<Interruption> interruption_;
  std::mutex mutex_;
  std::condition_variable changed_;
  Clock::time_point start_;
  Time latest_;
  std::vector<std::unique_ptr<TurnContext>>
      contexts_;  // the first one belongs to the watching thread
  std::vector<TurnContext*> free_;
  std::unordered_map<std::uint64_t, Event> under_way_;  // by number
  std::uint64_t numbers_ = 0;
  std::uint32_t reactions_ = 0;              // in progress
  std::vector<bool> reacting_;               // by node
  std::vector<ObservationRecord> observed_;  // in the order of turns
  std::atomic<bool> over_{false};
  ServiceBook book_;
  std::vector<ServiceSample> measured_elsewhere_;
  bool failed_ = false;
  std::exception_ptr failure_;
  StopReason stopped_ = StopReason::none;
  // Of other processes: what they reported, by node, and whether they were idle.
  std::vector<NodeReport> elsewhere_;
  struct Companion {
    std::uint64_t reports = 0;
    bool idle = false;
    std::unique_ptr<TurnContext> context;  // with its accounts
    std::vector<Crossing> unreported;      // what came from it, and it has not accounted for
  };
  std::vector<Companion> companions_;         // by process, without this one
  std::vector<std::size_t> process_of_node_;  // empty if there is but one
  std::vector<bool> was_lost_;                // by node
  std::optional<Clock::time_point> idle_since_;
  // Of this process.
  std::uint64_t reports_ = 0;
  bool reported_idle_ = false;
  Clock::time_point reported_at_;
  std::vector<Crossing> came_;
  std::vector<bool> reports_from_;                   // by node
  std::vector<LinkLedger::Copies> reported_copies_;  // by link and type
  std::vector<std::uint64_t> reported_wire_bytes_;   // by link
};

}  // namespace posse
