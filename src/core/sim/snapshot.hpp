// A run as it stands at some moment of virtual time: what metrics, the live page and reports show.
//
// Another thread asks (SnapshotExchange::ask), the run copies its plain counters between two
// windows and goes on; it never waits for who looks on, and nothing that it decides depends on
// them. The last snapshot of a run is made from its outcome.
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
  /// What would be the outcome if the run ended now, but for `status`, `report`, `fingerprint`,
  /// `own_searches` and the clients' own recommendations, which mean nothing until it is over;
  /// `rounds` holds the latest kRecentRounds only, `round_durations` lacks
  /// the latest one, in which others may still be; TypeAccount::in_flight is what is under way.
  RunOutcome outcome;
  bool over = false;
  bool paused = false;
  Time now;  // of the latest event; of a finished run, when its last role finished (results.json)
  std::uint64_t queued_events = 0;      // that wait for their time
  std::vector<MessageRecord> messages;  // the latest, by arrival or loss; at most kRecentMessages
  std::vector<Intervention> interventions;  // obeyed so far
};

inline constexpr std::size_t kRecentRounds = 64;
inline constexpr std::size_t kRecentMessages = 256;

/// Where a run leaves snapshots for who looks on. Thread-safe.
class SnapshotExchange {
 public:
  /// Have a new one made when the run comes to it.
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
  /// Until none is wanted any more, but no longer than to this time point of some clock.
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
