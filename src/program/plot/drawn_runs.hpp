// SPDX-License-Identifier: Apache-2.0
// The runs that a plot is made of.
#pragma once

#include <cstddef>
#include <filesystem>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "program/compare/study.hpp"
#include "program/results/run_data.hpp"

namespace posse {

/// Tables are read soon, curves when they are needed.
class DrawnRuns {
 public:
  /// Run folders and stores, and of their settings those that "KEY=VALUE" chooses. Throws
  /// FileError, and std::invalid_argument for a choice that nothing has.
  DrawnRuns(const std::vector<std::string>& sources, const std::vector<std::string>& where);
  /// A scenario's runs in memory.
  explicit DrawnRuns(RunData run);

  /// The runs of some cells only (setting, algorithm). Settings are named without the keys that
  /// these have in common.
  DrawnRuns part(const std::set<std::pair<std::size_t, std::size_t>>& cells,
                 const std::vector<std::string>& common_keys) const;

  const Study& study() const { return study_; }
  const std::vector<RunData>& settings();
  /// All as one run.
  const RunData& run();
  /// Lines in a picture that has one for each algorithm in each setting.
  std::size_t lines() const { return study_.cells.size(); }
  /// True if local and global regrets differ.
  bool heterogeneous() const;
  /// Of the only source; empty for several, and for runs in memory.
  const std::filesystem::path& folder() const { return folder_; }
  std::string name() const { return folder_.empty() ? study_.name : folder_.string(); }

 private:
  DrawnRuns() = default;

  Study study_;
  std::vector<RunData> settings_;
  RunData together_;
  bool read_ = false;
  std::filesystem::path folder_;
};

}  // namespace posse
