// SPDX-License-Identifier: Apache-2.0
// The pending timers of a node.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/ids.hpp"
#include "core/base/time.hpp"
#include "core/role/path.hpp"
#include "core/role/role.hpp"

namespace posse {

/// Events cannot be taken out of a queue, so a timer's event comes even if the timer was cancelled
/// or set again. A timer is pending together with the sequence number of its event.
class PendingTimers {
 public:
  bool empty() const { return pending_.empty(); }
  /// At `now` a crash drops all: in the order in which they were set, with the time that is left of
  /// them. The node has stood still since `since`: those that count from the end of work that was
  /// not done by then are as far as that work.
  std::vector<DroppedTimer> drop(Time now, Time since) {
    std::vector<DroppedTimer> dropped;
    for (const Pending& pending : pending_) {
      const Time reached = pending.from > since ? since : now;
      dropped.push_back({pending.timer, std::max(Duration{}, pending.due - reached)});
    }
    pending_.clear();
    return dropped;
  }
  /// The node stood still from `since` on, for `stood`: puts off the timers that count from the end
  /// of work that was not done by then. `emit(timer, due)` returns the sequence number of an event.
  template <class Emit>
  void put_off(Time since, Duration stood, Emit emit) {
    for (Pending& pending : pending_) {
      if (pending.from <= since) continue;
      pending.from = pending.from + stood;
      pending.due = pending.due + stood;
      pending.sequence = emit(pending.timer, pending.due);
    }
  }
  /// Replaces a pending timer of the same id. It is due at `due`, counted from `from`. `path`: of
  /// the reaction that sets it.
  void set(TimerId timer, std::uint32_t sequence, Time due, Time from, Path path = {}) {
    cancel(timer);
    pending_.push_back({timer, sequence, due, from, std::move(path)});
  }
  void cancel(TimerId timer) {
    std::erase_if(pending_, [timer](const Pending& pending) { return pending.timer == timer; });
  }
  /// The event with this sequence number is there. Nothing if the timer is not pending for it;
  /// otherwise its path, and it is no longer pending.
  std::optional<Path> expire(TimerId timer, std::uint32_t sequence) {
    const auto it = std::find_if(pending_.begin(), pending_.end(), [&](const Pending& pending) {
      return pending.timer == timer && pending.sequence == sequence;
    });
    if (it == pending_.end()) return std::nullopt;
    Path path = std::move(it->path);
    pending_.erase(it);
    return path;
  }

 private:
  struct Pending {
    TimerId timer;
    std::uint32_t sequence;
    Time due, from;
    Path path;
  };
  std::vector<Pending> pending_;  // few
};

}  // namespace posse
