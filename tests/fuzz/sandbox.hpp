// SPDX-License-Identifier: Apache-2.0
// What keeps fuzzed input from doing harm: a temporary folder for the files that a target reads,
// and a check that a scenario names no file outside it.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "program/scenario/value.hpp"

namespace posse::fuzz {

/// A folder in memory (/dev/shm) if possible, removed at the end of the process.
class Sandbox {
 public:
  Sandbox();
  ~Sandbox();
  Sandbox(const Sandbox&) = delete;
  Sandbox& operator=(const Sandbox&) = delete;

  const std::filesystem::path& path() const { return path_; }
  void write(const std::string& name, std::string_view content) const;
  /// Makes the folder hold these files, and only these. Only what has changed is written.
  void hold(const std::map<std::string, std::string>& files);

 private:
  std::filesystem::path path_;
  std::map<std::string, std::string> held_;
};

/// True if a text in the tree, outside [inputs], might name a file outside the scenario's folder.
bool names_outside_files(const Value& root);

/// The files of an input: a line `@@ NAME`, then the file's content up to the next such line. What
/// comes before the first one is ignored, as are names that are not in `allowed`.
std::map<std::string, std::string> files_of(std::string_view input,
                                            const std::map<std::string, std::string>& allowed);

}  // namespace posse::fuzz
