// The pending timers of a node.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/base/ids.hpp"

namespace posse {

/// Events cannot be taken out of a queue, so a timer's event comes even if the timer was cancelled
/// or set again. A timer is pending together with the sequence number of its event.
class PendingTimers {
 public:
  bool empty() const { return pending_.empty(); }
  void clear() { pending_.clear(); }
  /// Replaces a pending timer of the same id.
  void set(TimerId timer, std::uint32_t sequence) {
    cancel(timer);
    pending_.push_back({timer, sequence});
  }
  void cancel(TimerId timer) {
    std::erase_if(pending_, [timer](const Pending& pending) { return pending.timer == timer; });
  }
  /// The event with this sequence number is there. False if the timer is not pending for it;
  /// otherwise it is no longer pending.
  bool expire(TimerId timer, std::uint32_t sequence) {
    return std::erase_if(pending_, [&](const Pending& pending) {
             return pending.timer == timer && pending.sequence == sequence;
           }) > 0;
  }

 private:
  struct Pending {
    TimerId timer;
    std::uint32_t sequence;
  };
  std::vector<Pending> pending_;  // few
};

}  // namespace posse
