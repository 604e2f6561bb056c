// Looks at a scenario's runs while they go on: asks those under way for snapshots and waits a
// moment for them, never long. Thread-safe.
//
// A snapshot costs a run time in proportion to its clients, so looks are no more frequent than
// 50 ms, or a microsecond per client: whoever comes earlier sees what is there already.
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

  /// At most `patience` long, and a little.
  ScenarioView look(std::chrono::milliseconds patience = std::chrono::milliseconds(40));
  /// What one run is asked to do: the queue of its interventions. Null once it is over.
  InterventionQueue* interventions(std::size_t run);

 private:
  std::shared_ptr<const RunView> view_of(std::size_t run);  // with views_mutex_ held
  ScenarioView view_now();                                  // without asking

  const Scenario& scenario_;
  RunMonitor& monitor_;
  std::mutex views_mutex_;
  std::vector<std::shared_ptr<const RunView>> views_;  // from the start; once it is over, for good
  std::chrono::microseconds interval_;
  std::timed_mutex mutex_;
  std::chrono::steady_clock::time_point looked_{};
};

}  // namespace posse
