// SPDX-License-Identifier: Apache-2.0
#include "program/library/experiment.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <future>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <thread>

#include "program/base/files.hpp"
#include "program/compare/comparison_table.hpp"
#include "program/compare/failures.hpp"
#include "program/fates/fates_json.hpp"
#include "program/fates/scenario_text.hpp"
#include "program/library/reported_wait.hpp"
#include "program/live/watching.hpp"
#include "program/page/report.hpp"
#include "program/results/run_data.hpp"
#include "program/results/run_tables.hpp"
#include "program/scenario/scenario_tree.hpp"

namespace posse {
namespace {

ExperimentProgress progress_of(const RunMonitor& monitor,
                               double expected_evaluations,
                               const Watching& watching) {
  ExperimentProgress progress{.runs = monitor.slots.size(),
                              .expected_evaluations = expected_evaluations,
                              .addresses = watching.addresses()};
  for (const auto& slot : monitor.slots) {
    progress.ended += slot.done ? 1 : 0;
    progress.evaluations +=
        static_cast<double>(slot.progress.evaluations.load(std::memory_order_relaxed));
  }
  return progress;
}

void stop(RunMonitor& monitor) {
  monitor.cancel = true;
  for (auto& slot : monitor.slots) slot.progress.cancel = true;
}

/// The table of runs, with why they did not finish and what the algorithms measure.
MemoryTable measured_runs(const ExperimentResults& results) {
  const auto& runs = results.figures();
  MemoryTable table = in_memory(runs_table(results.scenario(), results.result()));
  MemoryTable::Texts reports;
  for (const auto& run : runs) reports.push_back(run.report);
  table.columns.push_back({"report", std::move(reports)});
  MeasuredReader reader;
  for (std::size_t i = 0; i < runs.size(); ++i)
    for (const auto& measurement : reader.read(runs[i].measurements)) {
      auto column = std::ranges::find(table.columns, measurement.name, &MemoryTable::Column::name);
      if (column == table.columns.end())
        column = table.columns.insert(
            column, {measurement.name, MemoryTable::Reals(runs.size(), std::nan(""))});
      if (auto* numbers = std::get_if<MemoryTable::Reals>(&column->cells))
        (*numbers)[i] = measurement.measured;
    }
  return table;
}

/// The file that a scenario in memory would be.
std::string file_in(const std::filesystem::path& folder) {
  return (folder / "scenario.toml").string();
}

}  // namespace

Experiment::Experiment(const std::string& file) : file_(file) {
  Diagnostics diagnostics;
  root_ = load_toml(file, diagnostics);
  throw_mistakes(diagnostics);
}

Experiment::Experiment(Value tree, const std::filesystem::path& folder)
    : file_(file_in(folder)), root_(std::move(tree)) {}

Experiment::Experiment(std::string_view toml, const std::filesystem::path& folder)
    : file_(file_in(folder)) {
  Diagnostics diagnostics;
  root_ = parse_toml(toml, file_, diagnostics);
  throw_mistakes(diagnostics);
}

void Experiment::set(std::string_view key, std::string_view value) {
  Diagnostics diagnostics;
  apply_override(root_, fmt::format("{}={}", key, value), "set", diagnostics);
  throw_mistakes(diagnostics);
}

void Experiment::set_value(std::string_view key, const Value& value) {
  if (!posse::set_value(root_, key, value))
    throw ScenarioMistakes(fmt::format("{}: is not a valid path in this scenario\n", key));
}

Scenario Experiment::scenario() const {
  Diagnostics diagnostics;
  auto scenario = read_scenario(root_, file_, diagnostics);
  throw_mistakes(diagnostics);
  return scenario;
}

SweepPlan Experiment::sweep_plan() const {
  Diagnostics diagnostics;
  SweepPlan plan(root_, file_, diagnostics);
  throw_mistakes(diagnostics);
  return plan;
}

std::string Experiment::toml() const { return toml_text(root_); }

std::string Experiment::self_contained_toml() const {
  return self_contained_text(root_, scenario());
}

ExperimentResults Experiment::run(const ExperimentOptions& options) const {
  return run_experiment(scenario(), options);
}

ExperimentResults run_experiment(Scenario scenario, const ExperimentOptions& options) {
  ExecutionOptions execution_options;
  execution_options.run.threads =
      options.threads ? options.threads : std::max(1U, std::thread::hardware_concurrency());
  execution_options.run.kernel = options.kernel;
  execution_options.run.traces = options.traces;
  execution_options.run.pace = options.pace;
  execution_options.run.watched = options.page.has_value();
  execution_options.progress = ProgressStyle::none;
  RunMonitor monitor(number_of_runs(scenario, execution_options.run));
  double expected = 0;
  for (std::size_t i = 0; i < monitor.slots.size(); ++i)
    expected += expected_evaluations(
        scenario, scenario.algorithms[run_at(scenario, execution_options.run, i).algorithm]);

  const WatchOptions watch{.metrics = options.metrics, .page = options.page, .quiet = true};
  const Watching watching(watch, scenario, execution_options.run, monitor);
  const auto report = [&] {
    if (options.progress && !options.progress(progress_of(monitor, expected, watching)))
      stop(monitor);
  };
  auto executed = wait_reporting(
      std::async(std::launch::async, [&] { return execute(scenario, execution_options, monitor); }),
      options.interval_s,
      report,
      [&] { stop(monitor); });
  return {std::move(scenario), std::move(executed), options.traces};
}

std::string experiment_fates(const std::string& scenario,
                             const RandomFateOptions& options,
                             const std::function<bool(std::uint64_t done)>& progress) {
  TrialsProgress trials;
  const auto report = [&] {
    if (!progress(trials.done)) trials.stop = true;
  };
  return fates_json(wait_reporting(
      std::async(std::launch::async, [&] { return random_fates(scenario, options, trials); }),
      ExperimentOptions{}.interval_s,
      report,
      [&] { trials.stop = true; }));
}

ExperimentResults::ExperimentResults(Scenario scenario, Execution execution, const Traces& traces)
    : scenario_(std::move(scenario)), execution_(std::move(execution)), traces_(traces) {}

std::string ExperimentResults::json() const {
  return results_json(scenario_, execution_.result, execution_.summary);
}

std::string ExperimentResults::plot(const DrawingRequest& request) const {
  DrawnRuns runs(run_data_of(scenario_, execution_.result));
  try {
    return compact_json(drawing_json(draw(request, runs)));
  } catch (const FileError& no_data) {
    throw std::invalid_argument(no_data.what());
  }
}

std::string ExperimentResults::text() const {
  return details_text(execution_.summary) + failures_text(scenario_, execution_.result);
}

const std::vector<std::string>& ExperimentResults::table_names() {
  static const std::vector<std::string> names{
      "runs", "rounds", "regret", "comparison", "arms", "links", "cells"};
  return names;
}

MemoryTable ExperimentResults::table(std::string_view name) const {
  if (std::ranges::find(table_names(), name) == table_names().end())
    throw std::invalid_argument(fmt::format(
        "there is no table '{}'; the tables are {}", name, fmt::join(table_names(), ", ")));
  if (name == "runs") return measured_runs(*this);
  if (name == "comparison")
    return in_memory(comparison_table(execution_.summary.comparisons, scenario_));
  return in_memory(table_of(run_table(name), scenario_, execution_.result));
}

std::filesystem::path ExperimentResults::write(const std::filesystem::path& out) const {
  RunFolder folder(out, scenario_.name);
  folder.write(scenario_, execution_.result, execution_.summary, execution_.metadata, traces_);
  write_file(folder.path() / "report.html",
             report_html({final_document(folder, scenario_, execution_)}));
  return folder.commit();
}

}  // namespace posse
