// SPDX-License-Identifier: Apache-2.0
// A directory for what is not finished, removed at the end, even the end of a killed program.
#pragma once

#include <filesystem>
#include <string>

namespace posse {

/// A directory with a name of its own in `parent`, removed with what is in it at the end. A file
/// beside it (`NAME.lock`) is locked as long as the program lives, and exists before and after the
/// directory.
class WorkingDirectory {
 public:
  /// The name begins with `prefix`. Removes first what dead programs of this machine left in
  /// `parent` under such names. Throws FileError and filesystem_error.
  explicit WorkingDirectory(const std::filesystem::path& parent, const std::string& prefix = "");
  ~WorkingDirectory();
  WorkingDirectory(const WorkingDirectory&) = delete;
  WorkingDirectory& operator=(const WorkingDirectory&) = delete;

  const std::filesystem::path& path() const { return path_; }
  /// Waits until the file system has everything on disk. Throws FileError.
  void synchronise() const;

 private:
  void remove();

  std::filesystem::path path_;
  int lock_ = -1;
};

}  // namespace posse
