// SPDX-License-Identifier: Apache-2.0
// The interface between algorithms and kernels: a role reacts to an event, and all effects of the
// reaction are collected in a Reaction.
//
// The design follows etcd-io/raft: no I/O inside; the same input gives the same output. A role
// never blocks, never reads a clock and never touches another node's state, so a unit test needs
// neither actors nor time. The serial kernel, the window engine and the CAF actors run the same
// roles.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/ids.hpp"
#include "core/base/time.hpp"
#include "core/role/message.hpp"
#include "core/role/observation_record.hpp"

namespace posse {

/// Send `payload` to the nodes first, first+1, …, first+count-1 as one shared message.
struct SendEffect {
  NodeId first;
  std::uint32_t count = 1;
  Round round;
  Payload payload;
};
struct SetTimerEffect {
  TimerId timer;
  Duration after;
  bool after_work = false;  // counts from the end of the node's work so far, else from now
};
/// A pending timer that a crash dropped.
struct DroppedTimer {
  TimerId timer;
  Duration left;  // from the crash until it would have fired
};
struct CancelTimerEffect {
  TimerId timer;
};
/// A number of evaluations; the node's compute model determines their duration.
struct EvaluateEffect {
  std::uint64_t count = 0;
};
/// Work of a fixed length, multiplied by the node's straggler factor.
struct WorkEffect {
  Duration duration;
};
struct FinishEffect {};
/// From here on the reaction depends on this message, which came earlier.
struct UseEffect {
  Message message;
};

using Effect = std::variant<SendEffect,
                            SetTimerEffect,
                            CancelTimerEffect,
                            EvaluateEffect,
                            WorkEffect,
                            FinishEffect,
                            UseEffect>;

/// Collects the effects of one reaction in order. Work delays every later send of the node: a node
/// does one piece of work at a time, and replies leave when the work is done.
class Reaction {
 public:
  Reaction() = default;
  Reaction(Time now, NodeId self) { reset(now, self); }

  /// Virtual time of the current event.
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

  /// Calls `on_timer(timer)` when `after` has passed since the end of the node's work so far,
  /// unless cancelled: for what rests on that work, and to work in pieces. Setting a pending timer
  /// again replaces it.
  void set_timer_after_work(TimerId timer, Duration after = {}) {
    effects_.emplace_back(SetTimerEffect{timer, after, true});
  }
  /// Calls `on_timer(timer)` after `after`, even if the node is still busy: for deadlines. A timer
  /// that fires while its node evaluates must not decide anything (core/sim/early_decisions.hpp).
  void set_timer_from_now(TimerId timer, Duration after) {
    effects_.emplace_back(SetTimerEffect{timer, after, false});
  }
  void cancel_timer(TimerId timer) { effects_.emplace_back(CancelTimerEffect{timer}); }
  /// In `on_restart`: the timers that the crash dropped, in the order in which they were set; none
  /// if the node lost its state.
  std::span<const DroppedTimer> dropped_timers() const { return dropped_timers_; }
  /// Sets these timers again: each fires after the time that was left of it.
  void resume_timers() {
    for (const DroppedTimer& dropped : dropped_timers_)
      set_timer_from_now(dropped.timer, dropped.left);
  }

  /// Takes the virtual time of `count` pulls of an arm. Call it before the sends that depend on
  /// them. Evaluations of an objective are observed instead, as PullsObserved, which take theirs.
  void evaluate(std::uint64_t count) { effects_.emplace_back(EvaluateEffect{count}); }
  /// Takes `duration`, times the node's straggler factor.
  void work(Duration duration) { effects_.emplace_back(WorkEffect{duration}); }

  /// This node's part of the run is complete. Call it once. The node may still receive messages,
  /// but does no more work; the hub of a star sends nothing more.
  void finish() { effects_.emplace_back(FinishEffect{}); }

  /// The present message is put aside: this reaction does not depend on it. A role that is ahead or
  /// behind says so, for recordings.
  void keep_message() { keeps_message_ = true; }
  /// What follows depends on a message that was put aside.
  void use(const Message& message) { effects_.emplace_back(UseEffect{message}); }

  /// Observations keep their place among the effects: an observation after some work is stamped
  /// with the time at which that work is done. PullsObserved take the virtual time of their
  /// evaluations, which are made in the order of the observations: observe them before the sends
  /// that depend on them.
  template <class T>
  void observe(T&& observation) {
    if constexpr (std::is_same_v<std::decay_t<T>, PullsObserved>) take_time_of(observation.count);
    observed_.emplace_back(self_, effects_.size(), std::forward<T>(observation));
  }

  /// Observes a T with its default values, which are to be changed where it is.
  template <class T>
  T& observe() {
    static_assert(!std::is_same_v<T, PullsObserved>);
    observed_.emplace_back(self_, effects_.size(), std::in_place_type<T>);
    return *std::get_if<T>(&observed_.back().observation);
  }

  // Used by hosts and tests.
  const std::vector<Effect>& effects() const { return effects_; }
  std::span<const ObservationRecord> observations() const {
    return std::span(observed_).subspan(first_observed_);
  }
  bool keeps_message() const { return keeps_message_; }
  std::vector<Effect>& mutable_effects() { return effects_; }
  std::span<ObservationRecord> mutable_observations() {
    return std::span(observed_).subspan(first_observed_);
  }
  void drop_observations() { observed_.resize(first_observed_); }
  void restart_with(std::vector<DroppedTimer> dropped) { dropped_timers_ = std::move(dropped); }
  /// Observations of this reaction and of reactions before the last resets, to be taken between
  /// reactions.
  std::vector<ObservationRecord>& all_observations() { return observed_; }
  void reset(Time now, NodeId self) {
    now_ = now;
    self_ = self;
    keeps_message_ = false;
    effects_.clear();
    first_observed_ = observed_.size();
  }

 private:
  /// Evaluations right after others are one effect with them.
  void take_time_of(std::uint64_t evaluations) {
    const bool goes_on = observed_.size() > first_observed_ &&
                         observed_.back().after == effects_.size() &&
                         std::holds_alternative<PullsObserved>(observed_.back().observation);
    if (goes_on)
      std::get<EvaluateEffect>(effects_.back()).count += evaluations;
    else
      evaluate(evaluations);
  }

  Time now_;
  NodeId self_;
  bool keeps_message_ = false;
  std::vector<Effect> effects_;
  std::vector<DroppedTimer> dropped_timers_;
  std::vector<ObservationRecord> observed_;
  std::size_t first_observed_ = 0;  // of this reaction
};

/// What a node is waiting for, for the report of a stalled run.
struct Waiting {
  std::string for_what;           // "LocalMeans of phase 3"
  std::string_view message_type;  // "LocalMeans"
  Round round;                    // of the awaited message; 0: of any
  std::vector<NodeId> from;       // who hasn't sent it
};

/// One node's part of a protocol.
class Role {
 public:
  virtual ~Role() = default;

  /// Called once, at virtual time 0, before anything else.
  virtual void on_start(Reaction&) {}
  /// Duplicate, late and unexpected messages may arrive and must change nothing.
  virtual void on_message(const Message& message, Reaction& reaction) = 0;
  virtual void on_timer(TimerId, Reaction&) {}
  /// The node restarts after a crash: with its state but without its timers, or, if it lost its
  /// state, as a new role instead of `on_start`. By default, timers go on where the crash dropped
  /// them.
  virtual void on_restart(Reaction& reaction) { reaction.resume_timers(); }

  /// What this node is waiting for, for the report of a run that stalls. Nothing if it has
  /// finished, or if the run may end without further messages to it (a client whose server
  /// tolerates missing answers).
  virtual std::optional<Waiting> waiting() const { return std::nullopt; }

  /// A lower bound on the number of messages that this node still receives before it finishes; 0 if
  /// it may finish without one. A hint to the window engine, which handles the hub before other
  /// nodes where the hub may finish.
  virtual std::uint32_t messages_before_finish() const { return 0; }
  /// A message from `from` follows soon. Roles that hear from many nodes fetch what they keep of
  /// each (core/base/fetch.hpp).
  virtual void expect_message(NodeId /*from*/) const {}
};

}  // namespace posse
