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
  /// All, in the order in which they were set, with the time that is left of them at `now`.
  std::vector<DroppedTimer> drop(Time now) {
    std::vector<DroppedTimer> dropped;
    for (const Pending& pending : pending_)
      dropped.push_back({pending.timer, std::max(Duration{}, pending.due - now)});
    pending_.clear();
    return dropped;
  }
  /// Replaces a pending timer of the same id. `path`: of the reaction that sets it.
  void set(TimerId timer, std::uint32_t sequence, Time due, Path path = {}) {
    cancel(timer);
    pending_.push_back({timer, sequence, due, std::move(path)});
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
    Time due;
    Path path;
  };
  std::vector<Pending> pending_;  // few
};

}  // namespace posse
