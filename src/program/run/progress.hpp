// SPDX-License-Identifier: Apache-2.0
// Progress on standard error, and signals, while the program works.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "program/run/runner.hpp"

namespace posse {

/// automatic: a bar on a terminal, lines at growing intervals elsewhere.
enum class ProgressStyle { automatic, bar, lines, none };

/// How far some work is.
struct ProgressState {
  std::optional<double> done;  // the share, 0 to 1, if it is known
  /// The most important first: what doesn't fit into the terminal's line is left out.
  std::vector<std::string> parts;
};
/// A line of at most `columns` columns: a bar, the share, the parts and the time left, estimated
/// from the seconds that have passed.
std::string bar_text(const ProgressState& state, double seconds, std::size_t columns);
/// "43 %, 3 of 10 runs, about 20 s left"
std::string line_text(const ProgressState& state, double seconds);

/// Prints one line of progress again and again, and heeds signals, from its own thread. If the
/// system has no thread for it, nothing is printed and a signal ends the program at once.
class ProgressLines {
 public:
  struct Work {
    std::function<ProgressState()> state;
    std::function<void()> stop;  // called once when a signal has come: the work is to end
    /// Called, perhaps repeatedly, if it has not ended soon after. Returns false to go on
    /// waiting. Else the program ends, with the work as it is. May be empty: nothing is kept.
    std::function<bool()> keep_rest;
  };
  ProgressLines(ProgressStyle style, Work work);
  ~ProgressLines();
  ProgressLines(const ProgressLines&) = delete;
  ProgressLines& operator=(const ProgressLines&) = delete;

 private:
  void watch();
  void heed_signal();
  void print_line();

  using Clock = std::chrono::steady_clock;
  ProgressStyle style_;
  Work work_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool over_ = false;
  std::optional<Clock::time_point> told_;  // to stop
  Clock::time_point began_ = Clock::now();
  Clock::duration interval_ = std::chrono::seconds(2);
  Clock::time_point next_line_ = began_ + interval_;
  std::optional<std::jthread> thread_;
};

/// The progress of a scenario's runs; turns a pending signal into a request to stop. Has no other
/// effect on results.
class ProgressPrinter {
 public:
  /// `keep_rest`: see ProgressLines::Work; not called while runs that were stopped are being ended.
  ProgressPrinter(RunMonitor& monitor,
                  const Scenario& scenario,
                  const RunOptions& options,
                  ProgressStyle style,
                  std::function<void()> keep_rest = {});

 private:
  bool all_heed() const;
  ProgressState state() const;

  RunMonitor& monitor_;
  const Scenario& scenario_;
  const RunOptions& options_;
  std::vector<double> expected_;  // evaluations of a run of each algorithm
  ProgressLines lines_;
};

}  // namespace posse
