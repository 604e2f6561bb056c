// SPDX-License-Identifier: Apache-2.0
// A scenario that a program of the user's loads, changes and runs: the base of the C interface and
// of the Python module.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "program/fates/random_fates.hpp"
#include "program/http/server.hpp"
#include "program/library/memory_table.hpp"
#include "program/library/scenario_mistakes.hpp"
#include "program/plot/picture_kinds.hpp"
#include "program/results/execution.hpp"
#include "program/run/runner.hpp"
#include "program/scenario/scenario.hpp"
#include "program/scenario/value.hpp"
#include "program/sweep/sweep_plan.hpp"

namespace posse {

/// How far the runs are.
struct ExperimentProgress {
  std::size_t runs = 0, ended = 0;
  // Of all runs: counted when a node has made all those of one reaction; an upper bound.
  double evaluations = 0, expected_evaluations = 0;
  std::string addresses;  // of page and metrics, a line each: "page: http://…"
};

struct ExperimentOptions {
  std::size_t threads = 0;  // 0: one per core; decides nothing
  Kernel kernel = Kernel::actors;
  Traces traces;
  /// Called by the thread that called run(), at the begin, every `interval_s` seconds, and at the
  /// end. False: the runs are to end, with what they have.
  std::function<bool(const ExperimentProgress&)> progress;
  double interval_s = 0.1;
  double pace = 0;                           // virtual seconds per second; 0: as fast as possible
  std::optional<HttpAddress> page, metrics;  // served while the runs go on
};

class ExperimentResults;

/// Whatever happens to a run is in the results. Throws std::system_error if an address can't be
/// listened at.
ExperimentResults run_experiment(Scenario scenario, const ExperimentOptions& options = {});

/// The algorithms of a valid, self-contained scenario in random faulty networks, as JSON
/// (docs/results.md). `progress` is called as ExperimentOptions::progress, with the number of
/// networks that are done. Throws FileError.
std::string experiment_fates(const std::string& scenario,
                             const RandomFateOptions& options,
                             const std::function<bool(std::uint64_t done)>& progress);

/// Not for several threads at once.
class Experiment {
 public:
  /// Reads a scenario file. Throws ScenarioMistakes if it is no TOML file.
  explicit Experiment(const std::string& file);
  /// A scenario as TOML. Files that it names are looked for in `folder`.
  Experiment(std::string_view toml, const std::filesystem::path& folder);
  /// A scenario as a tree of values. Files that it names are looked for in `folder`.
  Experiment(Value tree, const std::filesystem::path& folder);

  /// As `--set KEY=VALUE`: a value in TOML, or a plain string where it isn't; empty: removes the
  /// key. Throws ScenarioMistakes if the path is not valid.
  void set(std::string_view key, std::string_view value);
  /// Sets a key to a value that isn't text. Throws ScenarioMistakes.
  void set_value(std::string_view key, const Value& value);

  /// Throws ScenarioMistakes.
  Scenario scenario() const;
  /// All settings of its section [sweep], or the one that there is without it. Throws
  /// ScenarioMistakes.
  SweepPlan sweep_plan() const;
  /// The tree as TOML, not checked.
  std::string toml() const;
  /// A text that needs no files beside it. Throws ScenarioMistakes.
  std::string self_contained_toml() const;
  /// run_experiment() of scenario().
  ExperimentResults run(const ExperimentOptions& options = {}) const;

 private:
  std::string file_;
  Value root_;
};

/// What `posse run` keeps in a run folder.
class ExperimentResults {
 public:
  ExperimentResults(Scenario scenario, Execution execution, const Traces& traces);

  const Scenario& scenario() const { return scenario_; }
  /// Of all runs, and with details of the first ones.
  const std::vector<RunFigures>& figures() const { return execution_.result.figures; }
  const std::vector<RunRecord>& runs() const { return execution_.result.runs; }
  const ScenarioResult& result() const { return execution_.result; }
  std::uint64_t fingerprint() const { return execution_.result.fingerprint; }
  const Summary& summary() const { return execution_.summary; }
  /// As the program's exit code.
  ExitCode exit_code() const { return execution_.metadata.exit_code; }
  /// results.json
  std::string json() const;
  /// What `posse plot` draws, as drawing_json(). Throws std::invalid_argument for what the runs
  /// don't have.
  std::string plot(const DrawingRequest& request) const;
  /// What `posse run` prints, with the reasons why runs failed.
  std::string text() const;
  /// The names of table().
  static const std::vector<std::string>& table_names();
  /// A table of the run folder: `runs`, `rounds`, `regret`, `comparison`, `arms`, `links`, `cells`.
  /// `runs` has besides why a run did not finish (`report`) and what the algorithms measure. Throws
  /// std::invalid_argument for other names.
  MemoryTable table(std::string_view name) const;
  /// Writes a run folder below `out` and returns its path. Throws FileError.
  std::filesystem::path write(const std::filesystem::path& out) const;

 private:
  Scenario scenario_;
  Execution execution_;
  Traces traces_;
};

}  // namespace posse
