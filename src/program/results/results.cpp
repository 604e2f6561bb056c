// SPDX-License-Identifier: Apache-2.0
#include "program/results/results.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <nlohmann/json.hpp>

#include "core/base/hash.hpp"
#include "program/base/files.hpp"
#include "program/base/gzip_file.hpp"
#include "program/base/table_files.hpp"
#include "program/compare/comparison_table.hpp"
#include "program/metrics/open_metrics.hpp"
#include "program/results/fault_events.hpp"
#include "program/results/perfetto.hpp"
#include "program/results/recorded_actions.hpp"
#include "program/results/recorded_interventions.hpp"
#include "program/results/run_tables.hpp"

namespace posse {
namespace fs = std::filesystem;
namespace {

/// Writes a table of the runs under its name.
void write_run_table(const fs::path& folder,
                     std::string_view name,
                     const Scenario& scenario,
                     const ScenarioResult& result) {
  write_csv_file(folder / fmt::format("{}.csv", name), table_of(run_table(name), scenario, result));
}

void write_messages(const fs::path& path, const Scenario& scenario, const ScenarioResult& result) {
  GzipFile out(path);
  write_csv(table_of(run_table("messages"), scenario, result),
            [&](std::string_view lines) { out.write(lines); });
  out.close();
}

bool any_run_has(const ScenarioResult& result, bool (*has)(const SimulationResult&)) {
  return std::ranges::any_of(result.runs, [&](const RunRecord& run) { return has(run.result); });
}

}  // namespace

std::string utc_text(std::int64_t unix_seconds) {
  const std::time_t t = unix_seconds;
  std::tm parts{};
  gmtime_r(&t, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

std::string utc_now() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return utc_text(std::chrono::duration_cast<std::chrono::seconds>(now).count());
}

RunFolder::RunFolder(const fs::path& out, const std::string& name)
    : parent_(out / name), working_(parent_, ".tmp-") {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const auto ns = std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
  std::string time = utc_text(ns / 1'000'000'000);
  std::erase(time, ':');
  std::erase(time, '-');
  const auto unique =
      hash_combine(static_cast<std::uint64_t>(ns), static_cast<std::uint64_t>(getpid()));
  const auto folder = fmt::format("{}-{:08x}", time, unique & 0xffffffffU);
  final_ = parent_ / folder;
  temporary_ = working_.path() / folder;
  fs::create_directory(temporary_);
}

void write_run_data(const fs::path& folder,
                    const Scenario& scenario,
                    const ScenarioResult& result,
                    const Summary& summary,
                    const RunMetadata& metadata) {
  write_file(folder / "scenario.toml", to_toml(with_interventions(scenario, result)));
  if (!scenario.inputs.files().empty()) fs::create_directory(folder / "inputs");
  for (const auto& file : scenario.inputs.files()) write_file(folder / file.stored, *file.content);
  write_file(folder / "metadata.json",
             pretty_json(metadata_json(scenario, result, summary, metadata)) + "\n");
  write_stream(folder / "results.json",
               [&](std::ostream& out) { write_results_json(out, scenario, result, summary); });
  write_run_table(folder, "rounds", scenario, result);
  write_run_table(folder, "regret", scenario, result);
  if (scenario.arms) write_run_table(folder, "arms", scenario, result);
  if (any_run_has(result, [](const SimulationResult& run) { return !run.outcome.links.empty(); }))
    write_run_table(folder, "links", scenario, result);
  if (any_run_has(result, [](const SimulationResult& run) { return !run.outcome.cells.empty(); }))
    write_run_table(folder, "cells", scenario, result);
  if (any_run_has(result, [](const SimulationResult& run) { return !run.interventions.empty(); }))
    write_csv_file(folder / "interventions.csv", interventions_table(scenario, result));
  if (any_run_has(result, [](const SimulationResult& run) { return !run.faults.empty(); }))
    write_csv_file(folder / "faults.csv", faults_table(scenario, result));
}

void RunFolder::write(const Scenario& scenario,
                      const ScenarioResult& result,
                      const Summary& summary,
                      const RunMetadata& metadata,
                      const Traces& traces) {
  const fs::path& folder = temporary_;
  write_run_data(folder, scenario, result, summary, metadata);
  write_csv_file(folder / "runs.csv", runs_table(scenario, result));
  if (!summary.comparisons.empty())
    write_csv_file(folder / "comparison.csv", comparison_table(summary.comparisons, scenario));
  write_stream(folder / "metrics.om",
               [&](std::ostream& out) { write_open_metrics(out, scenario, result); });
  if (traces.messages) write_messages(folder / "messages.csv.gz", scenario, result);
  if (traces.all) {
    write_actions(folder / "actions.csv.gz", scenario, result);
    write_perfetto(folder / "trace.perfetto.json", scenario, result);
  }
}

fs::path RunFolder::commit() {
  synchronise(temporary_);
  fs::rename(temporary_, final_);
  // `latest` is replaced in one step, too: a new link is renamed over it.
  const fs::path link = unfinished_name(parent_ / "latest");
  std::error_code error;
  fs::remove(link, error);
  fs::create_symlink(final_.filename(), link, error);
  if (!error) fs::rename(link, parent_ / "latest", error);
  if (error) fs::remove(link, error);  // file systems without links go without `latest`
  return final_;
}

}  // namespace posse
