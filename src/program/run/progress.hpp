// Progress on standard error while a scenario runs.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "program/run/runner.hpp"

namespace posse {

/// automatic: a bar on a terminal, lines at growing intervals elsewhere.
enum class ProgressStyle { automatic, bar, lines, none };

/// Prints the progress of a monitor from its own thread, and turns a pending signal into a request
/// to stop. Has no other effect on results.
class ProgressPrinter {
 public:
  ProgressPrinter(RunMonitor& monitor, double expected_evaluations, ProgressStyle style);
  ~ProgressPrinter();
  ProgressPrinter(const ProgressPrinter&) = delete;
  ProgressPrinter& operator=(const ProgressPrinter&) = delete;

 private:
  void watch();
  std::string line() const;

  RunMonitor& monitor_;
  double expected_evaluations_;
  ProgressStyle style_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool stop_ = false;
  std::thread thread_;
};

}  // namespace posse
