// SPDX-License-Identifier: Apache-2.0
// Observes a scenario's runs: requests snapshots of the runs in progress and waits briefly for
// them. Thread-safe.
//
// A snapshot takes time in proportion to a run's clients. So snapshots are at least 50 ms, and a
// microsecond per client, apart; an earlier request gets the latest ones.
#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <vector>

#include "program/run/run_view.hpp"
#include "program/run/runner.hpp"

namespace posse {

class Spectator {
 public:
  /// Both must outlive it.
  Spectator(const Scenario& scenario, const RunOptions& options, RunMonitor& monitor);

  /// Returns after about `patience` at the latest.
  ScenarioView look(std::chrono::milliseconds patience = std::chrono::milliseconds(40));
  /// The queue of a run's interventions; null once the run has ended.
  InterventionQueue* interventions(std::size_t run);

 private:
  std::shared_ptr<const RunView> view_of(std::size_t run);  // with views_mutex_ held
  ScenarioView view_now();                                  // without requesting snapshots

  const Scenario& scenario_;
  RunMonitor& monitor_;
  std::mutex views_mutex_;
  std::vector<std::shared_ptr<const RunView>> views_;  // by run; final once the run has ended
  std::chrono::microseconds interval_;
  std::timed_mutex mutex_;
  std::chrono::steady_clock::time_point looked_{};
};

}  // namespace posse
