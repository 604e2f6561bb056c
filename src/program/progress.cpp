#include "program/progress.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>

#include "program/scenario/line_process.hpp"
#include "program/units.hpp"

namespace posse {
namespace {

std::atomic<int> g_signal{0};      // lock-free, so a handler may use it
std::atomic<int> g_signalled{-1};  // an eventfd that can be read once a signal has come

extern "C" void remember_signal(int signal) {
  if (g_signal.exchange(signal) == 0) {
    const std::uint64_t one = 1;
    [[maybe_unused]] const auto written = write(g_signalled, &one, sizeof one);
    return;
  }
  kill_all_line_processes();
  _exit(128 + signal);
}

}  // namespace

void catch_signals() {
  if (g_signalled < 0) g_signalled = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  std::signal(SIGINT, remember_signal);
  std::signal(SIGTERM, remember_signal);
}

int pending_signal() { return g_signal; }

void wait_for_signal(std::optional<double> most_seconds, int readable) {
  using Clock = std::chrono::steady_clock;
  constexpr double kLongest = 1e6;  // that poll can wait for
  const auto seconds = std::min(most_seconds.value_or(kLongest), kLongest);
  const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                      std::chrono::duration<double>(seconds));
  std::array<pollfd, 2> events{pollfd{g_signalled, POLLIN, 0}, pollfd{readable, POLLIN, 0}};
  while (pending_signal() == 0) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now()).count();
    const int ready = poll(events.data(), events.size(), static_cast<int>(std::max(left, 0L)));
    if (ready > 0 || (ready == 0 && most_seconds)) return;  // else a signal came, or none for days
    if (ready < 0 && errno != EINTR) return;
  }
}

ProgressPrinter::ProgressPrinter(RunMonitor& monitor,
                                 double expected_evaluations,
                                 ProgressStyle style)
    : monitor_(monitor), expected_evaluations_(expected_evaluations), style_(style) {
  if (style_ == ProgressStyle::automatic)
    style_ = isatty(STDERR_FILENO) ? ProgressStyle::bar : ProgressStyle::lines;
  thread_ = std::thread([this] { watch(); });
}

ProgressPrinter::~ProgressPrinter() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake_.notify_one();
  thread_.join();
  if (style_ == ProgressStyle::bar) fmt::print(stderr, "\r\033[K");
}

void ProgressPrinter::watch() {
  using Clock = std::chrono::steady_clock;
  auto next_line = Clock::now() + std::chrono::seconds(2);
  auto interval = std::chrono::seconds(2);
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, std::chrono::milliseconds(100), [&] { return stop_; })) {
    if (pending_signal() != 0 && !monitor_.cancel.exchange(true))
      for (auto& slot : monitor_.slots) slot.progress.cancel = true;
    if (style_ == ProgressStyle::bar) {
      fmt::print(stderr, "\r\033[K{}", line());
      std::fflush(stderr);
    } else if (style_ == ProgressStyle::lines && Clock::now() >= next_line) {
      fmt::print(stderr, "{}\n", line());
      interval = std::min(interval * 2, std::chrono::seconds(60));
      next_line += interval;
    }
  }
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
