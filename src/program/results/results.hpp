// SPDX-License-Identifier: Apache-2.0
// The run folder: written under a temporary name, renamed when complete.
#pragma once

#include <filesystem>
#include <iosfwd>
#include <string>
#include <vector>

#include "program/base/working_directory.hpp"
#include "program/compare/summary.hpp"
#include "program/results/results_json.hpp"
#include "program/run/runner.hpp"
#include "program/scenario/scenario.hpp"

namespace posse {

/// Facts that may differ between two runs with equal results.
struct RunMetadata {
  std::vector<std::string> command_line;
  std::string started, ended;  // UTC, ISO 8601
  double wall_s = 0;
  std::size_t threads = 1;
  std::string kernel;
  std::string clock = "virtual";  // or "wall"
  ExitCode exit_code = ExitCode::ok;
};

/// `<out>/<name>/<UTC time>-<8 hex>/`. What killed programs left is removed. Errors are thrown as
/// std::filesystem::filesystem_error or std::runtime_error with the path.
class RunFolder {
 public:
  /// Creates the temporary folder, so that an unwritable path is detected before the run.
  RunFolder(const std::filesystem::path& out, const std::string& name);
  void write(const Scenario& scenario,
             const ScenarioResult& result,
             const Summary& summary,
             const RunMetadata& metadata,
             const Traces& traces);
  /// The temporary folder, for further files.
  const std::filesystem::path& path() const { return temporary_; }
  /// The final path.
  const std::filesystem::path& final_path() const { return final_; }
  /// Waits until everything is on disk, renames the folder and points `latest` to it; returns its
  /// final path.
  std::filesystem::path commit();

 private:
  std::filesystem::path parent_;
  WorkingDirectory working_;
  std::filesystem::path temporary_, final_;
};

/// The files that every run has in its folder: scenario, inputs, metadata, results and tables, but
/// no traces and nothing that can be made from them. Throws FileError.
void write_run_data(const std::filesystem::path& folder,
                    const Scenario& scenario,
                    const ScenarioResult& result,
                    const Summary& summary,
                    const RunMetadata& metadata);

/// results.json: bit-identical for equal scenario and seed.
void write_results_json(std::ostream& out,
                        const Scenario& scenario,
                        const ScenarioResult& result,
                        const Summary& summary);
std::string results_json(const Scenario& scenario,
                         const ScenarioResult& result,
                         const Summary& summary);
/// results.json without its runs.
Json results_head(const Scenario& scenario, const ScenarioResult& result, const Summary& summary);
Json metadata_json(const Scenario& scenario,
                   const ScenarioResult& result,
                   const Summary& summary,
                   const RunMetadata& metadata);
/// A line per round: when, who was late, what it cost, and its critical path.
std::string rounds_text(const Scenario& scenario, const ScenarioResult& result);

/// "finished", or the status of the first run that did not finish.
std::string overall_status(const ScenarioResult& result);

/// Seconds since 1970 as "2026-11-21T04:33:04Z".
std::string utc_text(std::int64_t unix_seconds);
/// The present time as such a text.
std::string utc_now();

}  // namespace posse
