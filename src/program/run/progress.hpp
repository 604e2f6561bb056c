// Progress on standard error while a scenario runs.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "program/run/runner.hpp"

namespace posse {

/// automatic: a bar on a terminal, lines at growing intervals elsewhere.
enum class ProgressStyle { automatic, bar, lines, none };

/// Prints one line of progress again and again, from its own thread.
class ProgressLines {
 public:
  /// `line`: the text; `tick` is called about ten times a second, even if nothing is printed.
  ProgressLines(ProgressStyle style, std::function<std::string()> line, std::function<void()> tick);
  ~ProgressLines();
  ProgressLines(const ProgressLines&) = delete;
  ProgressLines& operator=(const ProgressLines&) = delete;

 private:
  void watch();

  ProgressStyle style_;
  std::function<std::string()> line_;
  std::function<void()> tick_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool stop_ = false;
  std::thread thread_;
};

/// The progress of a monitor; turns a pending signal into a request to stop. Has no other effect on
/// results.
class ProgressPrinter {
 public:
  ProgressPrinter(RunMonitor& monitor, double expected_evaluations, ProgressStyle style);

 private:
  void pass_signal_on();
  std::string line() const;

  RunMonitor& monitor_;
  double expected_evaluations_;
  ProgressLines lines_;
};

}  // namespace posse
