// Progress of long work as one line on standard error: rewritten on a terminal, repeated at growing
// intervals elsewhere.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace posse {

/// Prints from its own thread, which also turns a signal into a request to `stop`.
class LinePrinter {
 public:
  LinePrinter(std::function<std::string()> line, std::atomic<bool>& stop, bool quiet);
  ~LinePrinter();
  LinePrinter(const LinePrinter&) = delete;
  LinePrinter& operator=(const LinePrinter&) = delete;

 private:
  void watch();

  const std::function<std::string()> line_;
  std::atomic<bool>& stop_;
  const bool quiet_, bar_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool over_ = false;
  std::thread thread_;
};

}  // namespace posse
