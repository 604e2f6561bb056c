// SPDX-License-Identifier: Apache-2.0
// The folder of a finished run: what its files have in common, read and checked. Plots
// (results/run_data.hpp) and pages (page/document.hpp) take the content of the files from here.
//
// Errors are FileErrors that name the file and the line or the key.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/network/nodes.hpp"
#include "program/results/json_object.hpp"
#include "program/scenario/scenario_facts.hpp"

namespace posse {

/// `folder` itself, or `latest` in it. Throws FileError if neither has results.json.
std::filesystem::path find_run_folder(const std::filesystem::path& folder);

/// The names of a run's nodes, from its entry in results.json; none if it has no groups of nodes.
/// Throws FileError.
NodeNames stored_nodes(const JsonObject& entry);

class StoredRun {
 public:
  /// One algorithm in one repetition.
  struct Run {
    std::size_t algorithm = 0;  // position in algorithms()
    std::uint32_t repetition = 0;
    std::string status;
    JsonObject results;  // its entry in results.json
  };

  /// Reads scenario.toml and results.json. `folder` may also be one that contains `latest`.
  explicit StoredRun(const std::filesystem::path& folder);
  StoredRun(const StoredRun&) = delete;
  StoredRun& operator=(const StoredRun&) = delete;

  const std::filesystem::path& folder() const { return folder_; }
  bool has(std::string_view file) const;
  const ScenarioFacts& facts() const { return facts_; }
  const std::string& name() const { return name_; }
  /// results.json.
  const JsonObject& results() const { return results_; }
  /// In the order of results.json; never empty.
  const std::vector<AlgorithmFacts>& algorithms() const { return algorithms_; }
  const std::vector<Run>& runs() const { return runs_; }
  /// False if results.json has the first repetitions only; runs.csv has all.
  bool has_all_details() const { return !json_.contains("detailed_repetitions"); }
  /// The number of runs, with those that results.json lacks.
  std::size_t all_runs() const;

  /// Positions in algorithms() and runs(); nothing if there is none.
  std::optional<std::size_t> find_algorithm(const std::string& label) const;
  std::optional<std::size_t> find_run(const std::string& label, std::uint32_t repetition) const;

 private:
  std::filesystem::path folder_;
  ScenarioFacts facts_;
  Json json_;
  JsonObject results_;
  std::string name_;
  std::vector<AlgorithmFacts> algorithms_;
  std::vector<Run> runs_;
  std::map<std::string, std::size_t> algorithm_positions_;
  std::map<std::pair<std::string, std::uint32_t>, std::size_t> run_positions_;
};

}  // namespace posse
