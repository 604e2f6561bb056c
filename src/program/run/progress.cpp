#include "program/run/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <utility>

#include "program/base/signals.hpp"
#include "program/base/units.hpp"

namespace posse {

ProgressLines::ProgressLines(ProgressStyle style,
                             std::function<std::string()> line,
                             std::function<void()> tick)
    : style_(style), line_(std::move(line)), tick_(std::move(tick)) {
  if (style_ == ProgressStyle::automatic)
    style_ = isatty(STDERR_FILENO) ? ProgressStyle::bar : ProgressStyle::lines;
  thread_ = std::thread([this] { watch(); });
}

ProgressLines::~ProgressLines() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake_.notify_one();
  thread_.join();
  if (style_ == ProgressStyle::bar) fmt::print(stderr, "\r\033[K");
}

void ProgressLines::watch() {
  using Clock = std::chrono::steady_clock;
  auto next_line = Clock::now() + std::chrono::seconds(2);
  auto interval = std::chrono::seconds(2);
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, std::chrono::milliseconds(100), [&] { return stop_; })) {
    tick_();
    if (style_ == ProgressStyle::bar) {
      fmt::print(stderr, "\r\033[K{}", line_());
      std::fflush(stderr);
    } else if (style_ == ProgressStyle::lines && Clock::now() >= next_line) {
      fmt::print(stderr, "{}\n", line_());
      interval = std::min(interval * 2, std::chrono::seconds(60));
      next_line += interval;
    }
  }
}

ProgressPrinter::ProgressPrinter(RunMonitor& monitor,
                                 double expected_evaluations,
                                 ProgressStyle style)
    : monitor_(monitor),
      expected_evaluations_(expected_evaluations),
      lines_(
          style, [this] { return line(); }, [this] { pass_signal_on(); }) {}

void ProgressPrinter::pass_signal_on() {
  if (pending_signal() != 0 && !monitor_.cancel.exchange(true))
    for (auto& slot : monitor_.slots) slot.progress.cancel = true;
}

std::string ProgressPrinter::line() const {
  std::size_t done = 0;
  double evaluations = 0, events = 0, virtual_s = 0;
  std::uint32_t rounds = 0;
  for (const auto& slot : monitor_.slots) {
    done += slot.done;
    evaluations += static_cast<double>(slot.progress.evaluations.load());
    events += static_cast<double>(slot.progress.events.load());
    if (!slot.running) continue;
    rounds = std::max(rounds, slot.progress.rounds.load());
    virtual_s = std::max(virtual_s, static_cast<double>(slot.progress.virtual_ns.load()) * 1e-9);
  }
  auto text = fmt::format("{} of {} runs done", done, monitor_.slots.size());
  if (expected_evaluations_ > 0)
    text += fmt::format(", {:.0f} % of the evaluations",
                        std::min(100.0, 100 * evaluations / expected_evaluations_));
  return text + fmt::format(", {} events, round {}, virtual time {}",
                            pretty_number(events),
                            rounds,
                            pretty_seconds(virtual_s));
}

}  // namespace posse
