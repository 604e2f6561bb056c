// SPDX-License-Identifier: Apache-2.0
#include "program/results/execution.hpp"

#include <chrono>

#include "program/base/signals.hpp"
#include "program/compare/studied_runs.hpp"
#include "program/compare/wanted_width.hpp"

namespace posse {
namespace {

double steady_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Starts the clock.
RunMetadata begun(const ExecutionOptions& options) {
  RunMetadata metadata;
  metadata.command_line = options.command_line;
  metadata.threads = options.run.threads;
  metadata.kernel = options.kernel_name;
  if (options.run.kernel == Kernel::wall) metadata.clock = "wall";
  metadata.started = utc_now();
  return metadata;
}

/// Fills in all but the result, and what was known at the begin.
void end(const Scenario& scenario, double started, Execution& execution) {
  RunMetadata& metadata = execution.metadata;
  metadata.wall_s = steady_now() - started;
  metadata.ended = utc_now();
  execution.signal = pending_signal();
  execution.summary = summarise(scenario, execution.result);
  metadata.exit_code = exit_code_of(execution.result);
  if (metadata.exit_code == ExitCode::ok)
    metadata.exit_code = exit_code_of(execution.summary.thresholds);
  if (execution.signal != 0) metadata.exit_code = static_cast<ExitCode>(128 + execution.signal);
}

/// Adds the scenario's runs to `execution`, which began at `started`.
void run_with_progress(const Scenario& scenario,
                       const ExecutionOptions& options,
                       RunMonitor& monitor,
                       double started,
                       Execution& execution) {
  const auto keep_rest = [&] {
    Execution so_far = execution;
    append(so_far.result, results_so_far(scenario, options.run, monitor));
    end(scenario, started, so_far);
    options.keep_rest(so_far);
  };
  const ProgressPrinter printer(monitor,
                                scenario,
                                options.run,
                                options.progress,
                                options.keep_rest ? keep_rest : std::function<void()>());
  append(execution.result, run_scenario(scenario, options.run, monitor));
}

}  // namespace

Execution execute(const Scenario& scenario, const ExecutionOptions& options, RunMonitor& monitor) {
  Execution execution;
  execution.metadata = begun(options);
  const double started = steady_now();
  run_with_progress(scenario, options, monitor, started, execution);
  end(scenario, started, execution);
  return execution;
}

Execution execute_until(
    Scenario& scenario,
    const ExecutionOptions& options,
    const WantedWidth& wanted,
    std::uint32_t most,
    const std::function<void(std::uint32_t now, std::uint32_t next)>& before_pass) {
  Execution execution;
  execution.metadata = begun(options);
  const double started = steady_now();
  ExecutionOptions pass = options;
  for (;;) {
    RunMonitor monitor(number_of_runs(scenario, pass.run));
    run_with_progress(scenario, pass, monitor, started, execution);
    if (pending_signal() != 0 || exit_code_of(execution.result) != ExitCode::ok) break;
    const auto next =
        next_repetitions(study_of(scenario, execution.result), wanted, scenario.repeat);
    if (!next || *next > most) break;
    before_pass(scenario.repeat, *next);
    pass.run.first_repetition = scenario.repeat;
    scenario.repeat = *next;
  }
  end(scenario, started, execution);
  const bool reached = width_reached(study_of(scenario, execution.result), wanted);
  if (!reached && execution.metadata.exit_code == ExitCode::ok)
    execution.metadata.exit_code = ExitCode::undecided;
  return execution;
}

}  // namespace posse
