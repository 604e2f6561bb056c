// Runs a scenario with progress, signals and timing: shared by `run` and `reproduce`.
#pragma once

#include <string>
#include <vector>

#include "program/results/results.hpp"
#include "program/run/progress.hpp"
#include "program/run/runner.hpp"
#include "program/summary/summary.hpp"

namespace posse {

struct ExecutionOptions {
  RunOptions run;
  ProgressStyle progress = ProgressStyle::automatic;
  std::string kernel_name = "actors";
  std::vector<std::string> command_line;
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

}  // namespace posse
