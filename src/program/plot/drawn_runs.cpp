// SPDX-License-Identifier: Apache-2.0
#include "program/plot/drawn_runs.hpp"

#include <algorithm>
#include <utility>

#include "program/base/quantities.hpp"
#include "program/plot/setting_axis.hpp"
#include "program/sweep/setting_runs.hpp"
#include "program/sweep/study_reader.hpp"

namespace posse {

DrawnRuns::DrawnRuns(const std::vector<std::string>& sources,
                     const std::vector<std::string>& where) {
  if (sources.size() == 1 && !is_store(sources.front())) {
    settings_.push_back(read_run(sources.front()));
    folder_ = settings_.front().folder;
    read_ = true;
    study_ = study_of(settings_.front());
  } else {
    if (sources.size() == 1) folder_ = sources.front();
    study_ = read_study({sources.begin(), sources.end()});
  }
  study_ = select(study_, parse_filters(where));
}

DrawnRuns::DrawnRuns(RunData run) : study_(study_of(run)), read_(true) {
  settings_.push_back(std::move(run));
}

DrawnRuns DrawnRuns::part(const std::set<std::pair<std::size_t, std::size_t>>& cells,
                          const std::vector<std::string>& common_keys) const {
  DrawnRuns part;
  part.folder_ = folder_;
  part.study_ = study_;
  std::erase_if(part.study_.cells, [&](const auto& cell) { return !cells.contains(cell.first); });
  if (!common_keys.empty()) {
    part.study_.settings = names_without(study_.keys, common_keys);
    for (auto& keys : part.study_.keys)
      for (const auto& key : common_keys) keys.erase(key);
  }
  if (!read_ || settings_.size() != 1) return part;  // reads them again, each in one part
  part.read_ = true;
  part.settings_ = settings_;
  std::erase_if(part.settings_.front().algorithms, [&](const AlgorithmData& algorithm) {
    return std::ranges::none_of(
        cells, [&](const auto& cell) { return study_.algorithms[cell.second] == algorithm.label; });
  });
  return part;
}

const std::vector<RunData>& DrawnRuns::settings() {
  if (!std::exchange(read_, true)) settings_ = read_settings(study_);
  return settings_;
}

const RunData& DrawnRuns::run() {
  if (settings().size() == 1) return settings_.front();
  if (together_.algorithms.empty()) together_ = together(settings_);
  return together_;
}

bool DrawnRuns::heterogeneous() const {
  const auto global = *quantity_named("cumulative_regret"),
             local = *quantity_named("local_cumulative_regret");
  for (const auto& [at, cell] : study_.cells)
    for (const auto& [repetition, finals] : cell.finished)
      if (finals[global] != finals[local]) return true;
  return false;
}

}  // namespace posse
