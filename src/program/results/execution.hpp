// A scenario run with progress, signals and a clock: what `run` and `reproduce` share.
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
  int signal = 0;        // that stopped it; 0 if none did
};

/// Never throws for what a run does. Signals must be caught already (progress.hpp).
/// `monitor` has a slot per run (number_of_runs): others may look on through it.
Execution execute(const Scenario& scenario, const ExecutionOptions& options, RunMonitor& monitor);

}  // namespace posse
