#include "program/results/execution.hpp"

#include <chrono>

#include "program/base/signals.hpp"

namespace posse {
namespace {

double steady_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double expected_evaluations(const Scenario& scenario, std::size_t runs) {
  double per_repetition = 0;
  for (const auto& entry : scenario.algorithms)
    per_repetition += posse::expected_evaluations(scenario, entry);
  const std::size_t repetitions = runs / scenario.algorithms.size();
  return per_repetition * static_cast<double>(repetitions);
}

}  // namespace

Execution execute(const Scenario& scenario, const ExecutionOptions& options, RunMonitor& monitor) {
  Execution execution;
  RunMetadata& metadata = execution.metadata;
  metadata.command_line = options.command_line;
  metadata.threads = options.run.threads;
  metadata.kernel = options.kernel_name;
  metadata.started = utc_now();
  const double start = steady_now();
  {
    const ProgressPrinter printer(
        monitor, expected_evaluations(scenario, monitor.slots.size()), options.progress);
    execution.result = run_scenario(scenario, options.run, monitor);
  }
  metadata.wall_s = steady_now() - start;
  metadata.ended = utc_now();
  execution.signal = pending_signal();
  execution.summary = summarise(scenario, execution.result);
  metadata.exit_code = exit_code_of(execution.result);
  if (metadata.exit_code == ExitCode::ok)
    metadata.exit_code = exit_code_of(execution.summary.thresholds);
  if (execution.signal != 0) metadata.exit_code = static_cast<ExitCode>(128 + execution.signal);
  return execution;
}

}  // namespace posse
