// SPDX-License-Identifier: Apache-2.0
#include "program/base/signals.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>

namespace posse {
namespace {

std::atomic<int> g_signal{0};      // lock-free, so a handler may use it
std::atomic<int> g_signalled{-1};  // an eventfd that can be read once a signal has come
std::atomic<BeforeExit> g_before_exit{nullptr};

extern "C" void remember_signal(int signal) {
  if (g_signal.exchange(signal) == 0) {
    const std::uint64_t one = 1;
    [[maybe_unused]] const auto written = write(g_signalled, &one, sizeof one);
    return;
  }
  exit_by_signal();
}

}  // namespace

void catch_signals() {
  if (g_signalled < 0) g_signalled = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  std::signal(SIGINT, remember_signal);
  std::signal(SIGTERM, remember_signal);
  if (std::signal(SIGHUP, remember_signal) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);
}

void leave_signals() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP})
    if (std::signal(signal, SIG_DFL) == SIG_IGN) std::signal(signal, SIG_IGN);
}

void before_exit_by_signal(BeforeExit action) { g_before_exit = action; }

int pending_signal() { return g_signal; }

void exit_by_signal() {
  if (const auto before_exit = g_before_exit.load()) before_exit();
  _exit(128 + g_signal);
}

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

}  // namespace posse
