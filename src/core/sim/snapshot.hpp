// SPDX-License-Identifier: Apache-2.0
// Snapshots: the state of a run at some moment of virtual time, for metrics, the live page and
// reports.
//
// Another thread requests one (SnapshotExchange::ask); the run copies its counters between two
// windows and goes on. It never waits for observers, and no decision depends on them. The last
// snapshot of a run is made from its outcome.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/role/outcome.hpp"
#include "core/sim/intervention.hpp"
#include "core/sim/message_record.hpp"

namespace posse {

struct RunSnapshot {
  /// The outcome if the run ended now, except for `status`, `report`, `fingerprint`, `own_searches`
  /// and the clients' own recommendations, which are defined only at the end. `rounds` holds only
  /// the latest kRecentRounds; `round_durations` lacks the latest round, which other nodes may not
  /// have ended; TypeAccount::in_flight counts the copies on the way.
  RunOutcome outcome;
  bool over = false;
  bool paused = false;
  double pace = 0;  // virtual seconds per second of wall time; 0: as fast as possible
  Time now;  // of the latest event; of a finished run, when its last role finished (results.json)
  std::uint64_t queued_events = 0;  // not handled yet; inside a window, those of later windows only
  std::vector<MessageRecord> messages;      // the latest, by sending; at most kRecentMessages
  std::vector<Intervention> interventions;  // those that took effect
};

inline constexpr std::size_t kRecentRounds = 64;
inline constexpr std::size_t kRecentMessages = 256;

/// Passes snapshots from a run to observers. Thread-safe.
class SnapshotExchange {
 public:
  /// Requests a new snapshot.
  void ask() { wanted_.store(true, std::memory_order_relaxed); }
  bool wanted() const { return wanted_.load(std::memory_order_relaxed); }
  void publish(std::shared_ptr<const RunSnapshot> snapshot) {
    {
      const std::lock_guard lock(mutex_);
      latest_ = std::move(snapshot);
      wanted_.store(false, std::memory_order_relaxed);
    }
    answered_.notify_all();
  }
  /// Waits until no snapshot is wanted any more, at most until this time point of some clock.
  template <class TimePoint>
  void wait_until(const TimePoint& deadline) const {
    std::unique_lock lock(mutex_);
    answered_.wait_until(lock, deadline, [&] { return !wanted(); });
  }
  /// Null before the first one.
  std::shared_ptr<const RunSnapshot> latest() const {
    const std::lock_guard lock(mutex_);
    return latest_;
  }

 private:
  std::atomic<bool> wanted_{false};
  mutable std::mutex mutex_;
  mutable std::condition_variable answered_;
  std::shared_ptr<const RunSnapshot> latest_;
};

}  // namespace posse
