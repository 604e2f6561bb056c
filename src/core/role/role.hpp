// The central seam: a role reacts, and everything it wants done goes out through one Reaction.
//
// The model is etcd-io/raft: no I/O inside, same input, same output. A role never blocks, never
// looks at wall time and never touches another node's state; a unit test needs neither actors
// nor time. The serial kernel, the window engine and the CAF actors host the same roles.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/ids.hpp"
#include "core/base/time.hpp"
#include "core/role/message.hpp"
#include "core/role/observation.hpp"

namespace posse {

/// Send `payload` to the nodes first, first+1, …, first+count-1 (one shared message).
struct SendEffect {
  NodeId first;
  std::uint32_t count = 1;
  Round round;
  Payload payload;
};
struct SetTimerEffect {
  TimerId timer;
  Duration after;
};
struct CancelTimerEffect {
  TimerId timer;
};
/// So many evaluations; the node's compute model says how long they take.
struct EvaluateEffect {
  std::uint64_t count = 0;
};
/// Work of a fixed length, stretched by the node's straggler factor.
struct WorkEffect {
  Duration duration;
};
struct FinishEffect {};

using Effect = std::variant<SendEffect,
                            SetTimerEffect,
                            CancelTimerEffect,
                            EvaluateEffect,
                            WorkEffect,
                            FinishEffect>;

/// Collects what one reaction does, in order. Work delays every later send of the node: a node
/// computes one thing at a time, and replies leave when its work is done.
class Reaction {
 public:
  Reaction() = default;
  Reaction(Time now, NodeId self) { reset(now, self); }

  /// Virtual time of the event that is being handled.
  Time now() const { return now_; }
  NodeId self() const { return self_; }

  template <class T>
  void send(NodeId to, Round round, T message) {
    send_payload(to, 1, round, Payload::make(std::move(message)));
  }
  /// Sends one shared message to `count` consecutive nodes from `first`, in id order.
  template <class T>
  void broadcast(NodeId first, std::uint32_t count, Round round, T message) {
    if (count > 0) send_payload(first, count, round, Payload::make(std::move(message)));
  }
  void send_payload(NodeId first, std::uint32_t count, Round round, Payload payload) {
    effects_.emplace_back(SendEffect{first, count, round, std::move(payload)});
  }

  /// Fires `on_timer(timer)` after `after`, unless cancelled. Setting a pending timer again moves
  /// it.
  void set_timer(TimerId timer, Duration after) {
    effects_.emplace_back(SetTimerEffect{timer, after});
  }
  void cancel_timer(TimerId timer) { effects_.emplace_back(CancelTimerEffect{timer}); }

  void evaluate(std::uint64_t count) { effects_.emplace_back(EvaluateEffect{count}); }
  void work(Duration duration) { effects_.emplace_back(WorkEffect{duration}); }

  /// This node's part of the run is complete. Say it once; it may still receive messages.
  void finish() { effects_.emplace_back(FinishEffect{}); }

  /// Observations keep their place among the effects: what is observed after some work is stamped
  /// with the time when that work is done.
  void observe(Observation observation) {
    observations_.push_back(std::move(observation));
    observed_after_.push_back(effects_.size());
  }

  // For hosts and tests.
  const std::vector<Effect>& effects() const { return effects_; }
  const std::vector<Observation>& observations() const { return observations_; }
  std::vector<Effect>& mutable_effects() { return effects_; }
  std::vector<Observation>& mutable_observations() { return observations_; }
  /// How many effects came before each observation.
  const std::vector<std::size_t>& observed_after() const { return observed_after_; }
  void reset(Time now, NodeId self) {
    now_ = now;
    self_ = self;
    effects_.clear();
    observations_.clear();
    observed_after_.clear();
  }

 private:
  Time now_;
  NodeId self_;
  std::vector<Effect> effects_;
  std::vector<Observation> observations_;
  std::vector<std::size_t> observed_after_;
};

/// Whom a node waits for, as a stall report names it.
struct Waiting {
  std::string for_what;           // "LocalMeans of phase 3"
  std::string_view message_type;  // "LocalMeans"
  Round round;                    // of the awaited message
  std::vector<NodeId> from;       // who hasn't sent it
};

/// One node's part of a protocol.
class Role {
 public:
  virtual ~Role() = default;

  /// Called once, at virtual time 0.
  virtual void on_start(Reaction&) {}
  /// Duplicates, late and unexpected messages may arrive: they must change nothing.
  virtual void on_message(const Message& message, Reaction& reaction) = 0;
  virtual void on_timer(TimerId, Reaction&) {}

  /// What this node can't go on without, for the report of a run that stalls. Nothing when it has
  /// finished, or when the run may end without its getting anything more (a client that only
  /// serves a server whose policy tolerates silence).
  virtual std::optional<Waiting> waiting() const { return std::nullopt; }
};

}  // namespace posse
