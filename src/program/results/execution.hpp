// SPDX-License-Identifier: Apache-2.0
// Runs a scenario with progress, signals and timing: shared by `run` and `reproduce`.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "program/compare/summary.hpp"
#include "program/compare/wanted_width.hpp"
#include "program/results/results.hpp"
#include "program/run/progress.hpp"
#include "program/run/runner.hpp"

namespace posse {

struct ExecutionOptions {
  RunOptions run;
  ProgressStyle progress = ProgressStyle::automatic;
  std::string kernel_name = "actors";
  std::vector<std::string> command_line;
  /// Keeps what has been made, and the program ends, if a run does not stop within a second of a
  /// signal. Called on another thread; may be empty.
  std::function<void(const struct Execution&)> keep_rest;
};

struct Execution {
  ScenarioResult result;
  Summary summary;
  RunMetadata metadata;  // its exit code is the run's, or 128 + signal
  int signal = 0;        // the signal that stopped it, or 0
};

/// Exceptions of a run become its status. Signals must be caught already (signals.hpp). `monitor`
/// has a slot per run (number_of_runs), for observers.
Execution execute(const Scenario& scenario, const ExecutionOptions& options, RunMonitor& monitor);

/// Runs until `wanted` is reached: scenario.repeat repetitions, then more, and more, which it adds
/// to scenario.repeat, `most` at most. The result is that of so many repetitions at once. Ends
/// early after a signal or a run that failed. `before_pass` is told of every pass but the first.
Execution execute_until(
    Scenario& scenario,
    const ExecutionOptions& options,
    const WantedWidth& wanted,
    std::uint32_t most,
    const std::function<void(std::uint32_t now, std::uint32_t next)>& before_pass);

}  // namespace posse
