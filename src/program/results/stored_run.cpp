// SPDX-License-Identifier: Apache-2.0
#include "program/results/stored_run.hpp"

#include <fmt/format.h>

#include <limits>

#include "program/base/files.hpp"

namespace posse {
namespace fs = std::filesystem;

fs::path find_run_folder(const fs::path& folder) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) throw FileError(folder, "is not a run folder");
  if (fs::exists(folder / "results.json", error)) return folder;
  if (!fs::exists(folder / "latest" / "results.json", error))
    throw FileError(
        folder,
        fs::exists(folder / "plan.csv", error)
            ? "is a store of runs, not a run folder: `posse serve`, `plot` and `compare` "
              "show it, and the folders below `runs` are run folders"
            : "is not a run folder: it has no results.json");
  return folder / "latest";
}

NodeNames stored_nodes(const JsonObject& entry) {
  std::vector<NodeGroup> groups;
  std::uint64_t size = 0;
  for (const auto& group :
       entry.has("groups") ? entry.objects("groups") : std::vector<JsonObject>()) {
    groups.push_back({group.text("name"),
                      group.count("size"),
                      group.optional_flag("numbered"),
                      group.count("first_number")});
    if (!groups.back().numbered && groups.back().size != 1) group.fail("size", "is not 1");
    size += groups.back().size;
    if (size > std::numeric_limits<std::uint32_t>::max()) group.fail("size", "is too large");
  }
  return NodeNames(std::move(groups));
}

StoredRun::StoredRun(const fs::path& folder)
    : folder_(find_run_folder(folder)),
      facts_(read_scenario_facts(folder_ / "scenario.toml")),
      json_(read_results(folder_ / "results.json")),
      results_(folder_ / "results.json", "", json_) {
  name_ = results_.text("name");
  for (const auto& result : results_.objects("runs")) {
    const auto label = result.text("algorithm");
    const auto [algorithm, added] = algorithm_positions_.try_emplace(label, algorithms_.size());
    const auto clients = result.count("clients");
    if (added) algorithms_.push_back({label, result.optional_text("kind"), clients});
    const auto repetition = result.count("repetition");
    if (!run_positions_.try_emplace({label, repetition}, runs_.size()).second)
      result.fail("repetition", "appears twice for this algorithm");
    runs_.push_back({algorithm->second, repetition, result.text("status"), result});
  }
  if (runs_.empty()) results_.fail("runs", "is empty");
}

std::size_t StoredRun::all_runs() const {
  return has_all_details() ? runs_.size()
                           : std::size_t{results_.count("repeat")} * algorithms_.size();
}

bool StoredRun::has(std::string_view file) const {
  std::error_code error;
  return fs::exists(folder_ / file, error);
}

std::optional<std::size_t> StoredRun::find_algorithm(const std::string& label) const {
  const auto found = algorithm_positions_.find(label);
  return found == algorithm_positions_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::size_t> StoredRun::find_run(const std::string& label,
                                               std::uint32_t repetition) const {
  const auto found = run_positions_.find({label, repetition});
  return found == run_positions_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace posse
