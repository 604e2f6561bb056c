#include "program/cli/line_printer.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "program/base/signals.hpp"

namespace posse {

LinePrinter::LinePrinter(std::function<std::string()> line, std::atomic<bool>& stop, bool quiet)
    : line_(std::move(line)), stop_(stop), quiet_(quiet), bar_(isatty(STDERR_FILENO) != 0) {
  thread_ = std::thread([this] { watch(); });
}

LinePrinter::~LinePrinter() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  wake_.notify_one();
  thread_.join();
  if (bar_ && !quiet_) fmt::print(stderr, "\r\033[K");
}

void LinePrinter::watch() {
  using Clock = std::chrono::steady_clock;
  auto interval = std::chrono::seconds(2);
  auto next_line = Clock::now() + interval;
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, std::chrono::milliseconds(100), [&] { return over_; })) {
    if (pending_signal() != 0) stop_ = true;
    if (quiet_) continue;
    if (bar_) {
      fmt::print(stderr, "\r\033[K{}", line_());
      std::fflush(stderr);
    } else if (Clock::now() >= next_line) {
      fmt::print(stderr, "{}\n", line_());
      interval = std::min(interval * 2, std::chrono::seconds(60));
      next_line += interval;
    }
  }
}

}  // namespace posse
