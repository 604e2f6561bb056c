// SPDX-License-Identifier: Apache-2.0
// Requests of an observer to a run in progress: pause, step and resume it, change its pace, cut and
// restore links, stop and restart nodes.
//
// Pauses, steps and the pace only hold back virtual time: results do not change, and a limit of
// wall time is suspended while the run is paused. The others change the run in the same way as a
// [[fault]] of the scenario at the same virtual time; `at` is recorded so that the run can be
// repeated with such a fault.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/named.hpp"
#include "core/base/time.hpp"
#include "core/network/config.hpp"

namespace posse {

struct Intervention {
  /// step: continue by `amount` of `unit`, then pause. until: continue until there have been
  /// `amount` of `unit`, then pause. pace: `amount` virtual seconds per second of wall time, 0 for
  /// as fast as possible. cut, restore: the links between `groups`. halt, crash, forget: the nodes
  /// of the one group pause, crash, crash and lose their state; restart ends each such fault of
  /// exactly these nodes.
  enum class Action : std::uint8_t {
    pause,
    resume,
    step,
    until,
    pace,
    cut,
    restore,
    halt,
    crash,
    forget,
    restart
  } action = Action::pause;
  std::vector<std::vector<FaultyNodes>> groups;  // links: at least two; nodes: one
  Time at;                                       // when it took effect
  enum class Unit : std::uint8_t { round, event, second } unit = Unit::round;  // seconds: virtual
  double amount = 1;

  /// step, until: the run pauses by itself, and `unit` counts.
  bool has_goal() const { return action == Action::step || action == Action::until; }
  bool has_amount() const { return has_goal() || action == Action::pace; }
  bool is_of_links() const { return action == Action::cut || action == Action::restore; }
  bool is_of_nodes() const { return action >= Action::halt; }
  bool changes_results() const { return is_of_links() || is_of_nodes(); }
  /// restore, restart: ends faults that were made from outside.
  bool undoes() const { return action == Action::restore || action == Action::restart; }
};
inline constexpr std::array kInterventionActions{Intervention::Action::pause,
                                                 Intervention::Action::resume,
                                                 Intervention::Action::step,
                                                 Intervention::Action::until,
                                                 Intervention::Action::pace,
                                                 Intervention::Action::cut,
                                                 Intervention::Action::restore,
                                                 Intervention::Action::halt,
                                                 Intervention::Action::crash,
                                                 Intervention::Action::forget,
                                                 Intervention::Action::restart};

constexpr std::string_view to_string(Intervention::Action action) {
  switch (action) {
    case Intervention::Action::pause:
      return "pause";
    case Intervention::Action::resume:
      return "resume";
    case Intervention::Action::step:
      return "step";
    case Intervention::Action::until:
      return "until";
    case Intervention::Action::pace:
      return "pace";
    case Intervention::Action::cut:
      return "cut";
    case Intervention::Action::restore:
      return "restore";
    case Intervention::Action::halt:
      return "halt";
    case Intervention::Action::crash:
      return "crash";
    case Intervention::Action::forget:
      return "forget";
    case Intervention::Action::restart:
      return "restart";
  }
  return "?";
}
inline std::optional<Intervention::Action> parse_action(std::string_view text) {
  return named(kInterventionActions, text);
}

inline constexpr std::array kInterventionUnits{
    Intervention::Unit::round, Intervention::Unit::event, Intervention::Unit::second};

constexpr std::string_view to_string(Intervention::Unit unit) {
  switch (unit) {
    case Intervention::Unit::round:
      return "round";
    case Intervention::Unit::event:
      return "event";
    case Intervention::Unit::second:
      return "virtual_s";
  }
  return "?";
}
inline std::optional<Intervention::Unit> parse_unit(std::string_view text) {
  return named(kInterventionUnits, text);
}

/// The fault that halt, crash or forget begins.
inline NodeFault node_fault_of(const Intervention& done) {
  NodeFault fault;
  fault.nodes = done.groups.front();
  fault.when.at = done.at;
  fault.kind =
      done.action == Intervention::Action::halt ? NodeFaultKind::pause : NodeFaultKind::crash;
  fault.loses_state = done.action == Intervention::Action::forget;
  return fault;
}

/// Requested by other threads, applied by the run between two windows. Thread-safe.
class InterventionQueue {
 public:
  void ask(Intervention intervention) {
    const std::lock_guard lock(mutex_);
    asked_.push_back(std::move(intervention));
    any_.store(true, std::memory_order_release);
  }
  bool any() const { return any_.load(std::memory_order_acquire); }
  std::vector<Intervention> take() {
    const std::lock_guard lock(mutex_);
    any_.store(false, std::memory_order_relaxed);
    return std::exchange(asked_, {});
  }

 private:
  std::atomic<bool> any_{false};
  std::mutex mutex_;
  std::vector<Intervention> asked_;
};

}  // namespace posse
