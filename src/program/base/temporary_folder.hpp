// SPDX-License-Identifier: Apache-2.0
// A folder of the program's own, removed with what is in it.
#pragma once

#include <filesystem>

namespace posse {

class TemporaryFolder {
 public:
  /// In the system's place for such folders; its name begins with "posse-". Throws FileError.
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace posse
