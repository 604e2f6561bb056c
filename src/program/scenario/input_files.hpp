// The files named by a scenario: read once, kept in memory, copied into the run folder.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/parameters.hpp"

namespace posse {

class InputFiles {
 public:
  /// `folder`: the base of relative paths, the scenario's folder.
  explicit InputFiles(std::string folder) : folder_(std::move(folder)) {}
  InputFiles() = default;

  /// The file's content; read only once however often it is named. Throws InputError.
  InputText load(std::string_view name);

  /// The absolute path of a directory. Throws InputError if it does not exist.
  std::string folder(std::string_view name) const;

  struct File {
    std::string path;    // resolved
    std::string stored;  // in a run folder: inputs/…
    std::shared_ptr<const std::string> content;
  };
  /// In the order of first use.
  const std::vector<File>& files() const { return files_; }

 private:
  std::string folder_;
  std::vector<File> files_;
};

}  // namespace posse
