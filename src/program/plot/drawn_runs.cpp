// SPDX-License-Identifier: Apache-2.0
#include "program/plot/drawn_runs.hpp"

#include <utility>

#include "program/base/quantities.hpp"
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
  std::vector<SettingFilter> filters;
  for (const auto& text : where) filters.push_back(parse_filter(text));
  study_ = select(study_, filters);
}

DrawnRuns::DrawnRuns(RunData run) : study_(study_of(run)), read_(true) {
  settings_.push_back(std::move(run));
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
