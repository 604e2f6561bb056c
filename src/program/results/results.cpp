// SPDX-License-Identifier: Apache-2.0
#include "program/results/results.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <ctime>
#include <fstream>

#include "core/base/hash.hpp"
#include "program/base/files.hpp"
#include "program/base/gzip_file.hpp"
#include "program/metrics/open_metrics.hpp"
#include "program/results/fault_events.hpp"
#include "program/results/perfetto.hpp"
#include "program/results/recorded_actions.hpp"
#include "program/results/recorded_interventions.hpp"

namespace posse {
namespace fs = std::filesystem;
namespace {

void write_messages(const fs::path& path, const Scenario& scenario, const ScenarioResult& result) {
  GzipFile out(path);
  out.write(
      "algorithm,repetition,id,type,round,from,to,bytes,sent_virtual_s,delivered_virtual_s,"
      "outcome,cause,transmission,number,needless,order,content\n");
  for (const auto& run : result.runs) {
    const auto name = [&](NodeId node) { return run.result.name_of(node); };
    const auto& label = scenario.algorithms[run.algorithm].label;  // a plain word: no quoting
    for (const auto& m : run.result.messages)
      out.write(
          fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{:016x}\n",
                      label,
                      run.repetition,
                      m.id,
                      m.type,
                      m.round.value,
                      name(m.from),
                      name(m.to),
                      m.bytes,
                      m.sent.to_seconds(),
                      m.arrived() ? fmt::format("{}", m.delivered.to_seconds()) : std::string(),
                      to_string(m.outcome),
                      to_string(m.cause),
                      m.transmission,
                      m.number,
                      m.needless ? 1 : 0,
                      m.order,
                      m.content));
  }
  out.close();
}

/// What is too large to be made in memory first.
void write_stream(const fs::path& path,
                  void (*write)(std::ostream&, const Scenario&, const ScenarioResult&),
                  const Scenario& scenario,
                  const ScenarioResult& result) {
  errno = 0;
  std::ofstream out(path, std::ios::binary);
  write(out, scenario, result);
  out.close();
  if (!out) throw FileError(path, fmt::format("can't be written: {}", std::strerror(errno)));
}

bool any_links(const ScenarioResult& result) {
  return std::any_of(result.runs.begin(), result.runs.end(), [](const RunRecord& run) {
    return !run.result.outcome.links.empty();
  });
}

bool any_cells(const ScenarioResult& result) {
  return std::any_of(result.runs.begin(), result.runs.end(), [](const RunRecord& run) {
    return !run.result.outcome.cells.empty();
  });
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
  write_file(folder / "metadata.json", metadata_json(scenario, result, summary, metadata));
  write_file(folder / "results.json", results_json(scenario, result, summary));
  write_stream(folder / "rounds.csv", write_rounds_csv, scenario, result);
  write_stream(folder / "regret.csv", write_regret_csv, scenario, result);
  if (scenario.arms) write_stream(folder / "arms.csv", write_arms_csv, scenario, result);
  if (any_links(result)) write_stream(folder / "links.csv", write_links_csv, scenario, result);
  if (any_cells(result)) write_stream(folder / "cells.csv", write_cells_csv, scenario, result);
  if (any_interventions(result))
    write_file(folder / "interventions.csv", interventions_csv(scenario, result));
  if (any_faults(result)) write_file(folder / "faults.csv", faults_csv(scenario, result));
}

void RunFolder::write(const Scenario& scenario,
                      const ScenarioResult& result,
                      const Summary& summary,
                      const RunMetadata& metadata,
                      const Traces& traces) {
  const fs::path& folder = temporary_;
  write_run_data(folder, scenario, result, summary, metadata);
  write_stream(folder / "runs.csv", write_runs_csv, scenario, result);
  if (!summary.comparisons.empty())
    write_file(folder / "comparison.csv", comparison_csv(scenario, summary));
  write_stream(folder / "metrics.om", write_open_metrics, scenario, result);
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
