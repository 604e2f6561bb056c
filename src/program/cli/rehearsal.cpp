// SPDX-License-Identifier: Apache-2.0
#include "program/cli/rehearsal.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "program/base/files.hpp"
#include "program/base/signals.hpp"
#include "program/base/temporary_folder.hpp"
#include "program/page/document_parts.hpp"
#include "program/page/report.hpp"
#include "program/results/results.hpp"
#include "program/run/memory.hpp"

namespace posse {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kShare = 0.1, kShortest = 1, kLongest = 20;

struct Rehearsal {
  double repetitions = 0;
  double running_s = 0, writing_s = 0;
  double kept_bytes = 0, peak_bytes = 0;  // of the process: with all results; at most
  double disk_bytes = 0;
};

Rehearsal rehearse(Scenario scenario, ExecutionOptions options, std::uint32_t repetitions) {
  scenario.repeat = repetitions;
  options.progress = ProgressStyle::none;
  options.keep_rest = {};
  Rehearsal of{.repetitions = static_cast<double>(repetitions)};
  const TemporaryFolder out;
  forget_peak_memory();
  const auto began = Clock::now();
  const auto passed = [&] { return std::chrono::duration<double>(Clock::now() - began).count(); };
  RunMonitor monitor(number_of_runs(scenario, options.run));
  const Execution execution = execute(scenario, options, monitor);
  of.running_s = passed();
  of.kept_bytes = peak_memory().value_or(0);
  RunFolder folder(out.path(), scenario.name);
  folder.write(scenario, execution.result, execution.summary, execution.metadata, {});
  write_file(folder.path() / "report.html",
             report_html({final_document(folder, scenario, execution)}));
  of.disk_bytes = bytes_on_disk(folder.path());
  of.writing_s = passed() - of.running_s;
  of.peak_bytes = peak_memory().value_or(0);
  return of;
}

/// How much more a step from `from` to `to` repetitions takes, at `slope` per repetition.
double growth(double slope, double from, double to) {
  return std::max(0.0, slope) * std::max(0.0, to - from);
}

RunForecast forecast(const Scenario& scenario,
                     const RunOptions& options,
                     const Rehearsal& small,
                     const Rehearsal& large) {
  const double all = scenario.repeat, tried = large.repetitions;
  const auto algorithms = static_cast<double>(scenario.algorithms.size());
  const double detailed = std::min<double>(all, options.detailed_repetitions);
  const double shown = std::min(detailed, static_cast<double>(kMostRunsInDocument) / algorithms);
  const double step = std::max(1.0, tried - small.repetitions);
  const double keeping = (large.kept_bytes - small.kept_bytes) / step;
  RunForecast out{.repetitions = static_cast<std::uint32_t>(tried)};
  out.seconds = large.running_s / tried * all + large.writing_s +
                growth((large.writing_s - small.writing_s) / step, tried, detailed);
  out.disk_bytes =
      large.disk_bytes + growth((large.disk_bytes - small.disk_bytes) / step, tried, detailed);
  if (large.peak_bytes == 0) return out;
  out.memory_bytes = large.peak_bytes +
                     growth((large.peak_bytes - small.peak_bytes) / step, tried, shown) +
                     growth(keeping, std::max(tried, shown), detailed) +
                     growth(kBytesOfFigures * algorithms, detailed, all);
  return out;
}

}  // namespace

std::optional<RunForecast> rehearse_run(const Scenario& scenario,
                                        const ExecutionOptions& options,
                                        double expected_s) {
  const double all = scenario.repeat;
  const double limit = std::clamp(kShare * expected_s, kShortest, kLongest);
  const double fit = std::floor(expected_s > 0 ? limit / expected_s * all : all);
  if (fit < 1) return std::nullopt;
  const auto most = static_cast<std::uint32_t>(std::min(fit, all));
  const Rehearsal small = rehearse(scenario, options, std::max(1U, most / 4));
  if (pending_signal() != 0) return std::nullopt;
  const Rehearsal large = most == 1 ? small : rehearse(scenario, options, most);
  if (pending_signal() != 0) return std::nullopt;
  return forecast(scenario, options.run, small, large);
}

}  // namespace posse
