// SPDX-License-Identifier: Apache-2.0
#include "program/run/progress.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <set>
#include <utility>

#include "program/base/output.hpp"
#include "program/base/signals.hpp"
#include "program/base/terminal.hpp"
#include "program/base/text.hpp"
#include "program/base/threads.hpp"
#include "program/base/units.hpp"

namespace posse {

namespace {

constexpr auto kStopPatience = std::chrono::milliseconds(700);  // for work that was told to stop
constexpr std::size_t kColumnsOfBar = 20, kMostAlgorithmsNamed = 2;
constexpr double kSecondsToTell = 2, kShareToTell = 0.01;  // for an estimate of the time left

/// "about 20 s left"; empty if it is too early to tell.
std::string time_left(const ProgressState& state, double seconds) {
  if (!state.done || seconds < kSecondsToTell || *state.done < kShareToTell || *state.done >= 1)
    return "";
  const double left = seconds * (1 - *state.done) / *state.done;
  if (left < 60) return fmt::format("about {} left", pretty_seconds(std::ceil(left)));
  const double minutes = std::ceil(left / 60);
  if (minutes < 60) return fmt::format("about {} min left", minutes);
  return fmt::format("about {} h {} min left", std::floor(minutes / 60), std::fmod(minutes, 60));
}

/// Evaluations of a run of each algorithm.
std::vector<double> expected_of(const Scenario& scenario) {
  std::vector<double> expected;
  for (const auto& entry : scenario.algorithms)
    expected.push_back(expected_evaluations(scenario, entry));
  return expected;
}

std::string percent(double share) { return fmt::format("{:.0f} %", std::floor(100 * share)); }

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
  const double seconds = std::chrono::duration<double>(Clock::now() - began_).count();
  if (style_ == ProgressStyle::bar) {
    // A full line would make some terminals scroll.
    const std::size_t columns = terminal_columns(STDERR_FILENO).value_or(80) - 1;
    detail::write_err(fmt::format("\r\033[K{}", bar_text(work_.state(), seconds, columns)));
  } else if (style_ == ProgressStyle::lines && Clock::now() >= next_line_) {
    print_err("{}\n", line_text(work_.state(), seconds));
    interval_ = std::min<Clock::duration>(interval_ * 2, std::chrono::seconds(60));
    next_line_ += interval_;
  }
}

std::string line_text(const ProgressState& state, double seconds) {
  std::vector<std::string> parts = state.parts;
  if (state.done) parts.insert(parts.begin(), percent(*state.done));
  if (auto left = time_left(state, seconds); !left.empty()) parts.push_back(std::move(left));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string bar_text(const ProgressState& state, double seconds, std::size_t columns) {
  std::string line;
  if (state.done) {
    const auto filled = static_cast<std::size_t>(*state.done * kColumnsOfBar);
    std::string bar(filled, '=');
    if (filled < kColumnsOfBar) bar += '>';
    line = fmt::format("[{:<{}}] {:>5}", bar, kColumnsOfBar, percent(*state.done));
  }
  const auto left = time_left(state, seconds);
  const std::size_t for_left = left.empty() ? 0 : 2 + width(left);
  for (const auto& part : state.parts) {
    const std::string more = line.empty() ? part : line + "  " + part;
    if (width(more) + for_left > columns) break;
    line = more;
  }
  if (for_left > 0 && width(line) + for_left <= columns) line += "  " + left;
  return width(line) <= columns ? line : percent(state.done.value_or(0));
}

ProgressPrinter::ProgressPrinter(RunMonitor& monitor,
                                 const Scenario& scenario,
                                 const RunOptions& options,
                                 ProgressStyle style,
                                 std::function<void()> keep_rest)
    : monitor_(monitor),
      scenario_(scenario),
      options_(options),
      expected_(expected_of(scenario)),
      lines_(style,
             {.state = [this] { return state(); },
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

ProgressState ProgressPrinter::state() const {
  std::size_t done = 0, running = 0;
  double shares = 0, virtual_s = 0;
  std::uint32_t rounds = 0;
  std::set<std::size_t> algorithms;  // that run
  for (std::size_t i = 0; i < monitor_.slots.size(); ++i) {
    const auto& slot = monitor_.slots[i];
    if (slot.done) {
      ++done;
      ++shares;
    } else if (slot.running) {
      const std::size_t algorithm = run_at(scenario_, options_, i).algorithm;
      algorithms.insert(algorithm);
      ++running;
      rounds = std::max(rounds, slot.progress.rounds.load());
      virtual_s = std::max(virtual_s, static_cast<double>(slot.progress.virtual_ns.load()) * 1e-9);
      if (expected_[algorithm] > 0)
        shares += std::min(
            1.0, static_cast<double>(slot.progress.evaluations.load()) / expected_[algorithm]);
    }
  }
  const std::size_t runs = monitor_.slots.size();
  ProgressState state;
  const bool known = runs > 1 || std::ranges::any_of(expected_, [](double e) { return e > 0; });
  if (known) state.done = shares / static_cast<double>(runs);
  if (runs > 1) state.parts.push_back(fmt::format("{} of {} runs", done, runs));
  if (algorithms.size() > kMostAlgorithmsNamed)
    state.parts.push_back(fmt::format("{} algorithms running", algorithms.size()));
  else
    for (const auto algorithm : algorithms)
      state.parts.push_back(scenario_.algorithms[algorithm].label);
  if (running == 1) {
    if (rounds > 0) state.parts.push_back(fmt::format("round {}", rounds));
    state.parts.push_back(fmt::format("at {}", pretty_seconds(virtual_s)));
  }
  return state;
}

}  // namespace posse
