// SPDX-License-Identifier: Apache-2.0
#include "program/run/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "program/base/output.hpp"
#include "program/base/signals.hpp"
#include "program/base/threads.hpp"
#include "program/base/units.hpp"

namespace posse {

namespace {

constexpr auto kStopPatience = std::chrono::milliseconds(700);  // for work that was told to stop

}  // namespace

ProgressLines::ProgressLines(ProgressStyle style, Work work)
    : style_(style), work_(std::move(work)) {
  if (style_ == ProgressStyle::automatic)
    style_ = isatty(STDERR_FILENO) ? ProgressStyle::bar : ProgressStyle::lines;
  thread_ = helping_thread([this] { watch(); });
  if (thread_) return;
  leave_signals();
  print_err(
      "note: there is no thread for progress and signals: a signal ends the program at once\n");
}

ProgressLines::~ProgressLines() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  wake_.notify_one();
  const bool printed = thread_ && style_ == ProgressStyle::bar;
  thread_.reset();
  if (printed) detail::write_err("\r\033[K");
}

void ProgressLines::watch() {
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, std::chrono::milliseconds(100), [&] { return over_; })) {
    if (pending_signal() != 0) heed_signal();
    try {
      print_line();
    } catch (const std::exception&) {
      // For example out of memory: perhaps the next line.
    }
  }
}

// The mutex is held: the work can't end meanwhile.
void ProgressLines::heed_signal() {
  if (!told_) {
    told_ = Clock::now();
    work_.stop();
  }
  if (Clock::now() - *told_ < kStopPatience) return;
  try {
    if (work_.keep_rest && !work_.keep_rest()) return;
  } catch (const std::exception& problem) {
    print_err("the results can't be written: {}\n", problem.what());
  }
  print_err("stopped by a signal (exit code {})\n", 128 + pending_signal());
  exit_by_signal();
}

void ProgressLines::print_line() {
  if (style_ == ProgressStyle::bar) {
    detail::write_err(fmt::format("\r\033[K{}", work_.line()));
  } else if (style_ == ProgressStyle::lines && Clock::now() >= next_line_) {
    print_err("{}\n", work_.line());
    interval_ = std::min<Clock::duration>(interval_ * 2, std::chrono::seconds(60));
    next_line_ += interval_;
  }
}

ProgressPrinter::ProgressPrinter(RunMonitor& monitor,
                                 double expected_evaluations,
                                 ProgressStyle style,
                                 std::function<void()> keep_rest)
    : monitor_(monitor),
      expected_evaluations_(expected_evaluations),
      lines_(style,
             {.line = [this] { return line(); },
              .stop =
                  [this] {
                    monitor_.cancel = true;
                    for (auto& slot : monitor_.slots) slot.progress.cancel = true;
                  },
              .keep_rest =
                  [this, keep_rest = std::move(keep_rest)] {
                    if (all_heed()) return false;
                    if (keep_rest) keep_rest();
                    return true;
                  }}) {}

bool ProgressPrinter::all_heed() const {
  return std::all_of(monitor_.slots.begin(), monitor_.slots.end(), [](const auto& slot) {
    return !slot.running || slot.progress.ending;
  });
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
