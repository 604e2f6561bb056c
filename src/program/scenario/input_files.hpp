// SPDX-License-Identifier: Apache-2.0
// The files named by a scenario: read once, kept in memory, copied into the run folder. A scenario
// may hold some of them itself, in [inputs].
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/parameters.hpp"

namespace posse {

class InputFiles {
 public:
  struct File {
    std::string name;    // as given
    std::string stored;  // in a run folder: inputs/…
    std::shared_ptr<const std::string> content;
  };

  /// `folder`: the base of relative paths, the scenario's folder.
  explicit InputFiles(std::string folder) : folder_(std::move(folder)) {}
  InputFiles() = default;

  /// From now on this is the content of the file with this name.
  void hold(std::string name, std::string content) { held_[std::move(name)] = std::move(content); }

  /// The file's content; read only once however often it is named. Throws InputError.
  InputText load(std::string_view name);

  /// Gives a loaded file another content.
  InputText replace(const InputText& file, std::string content);

  /// Forgets the loaded files of which this is false.
  void keep_if(const std::function<bool(const File&)>& condition);

  /// Names of held files that have not been loaded.
  std::vector<std::string> unused() const;

  /// The absolute path of a directory. Throws InputError if it does not exist.
  std::string folder(std::string_view name) const;

  /// In the order of first use.
  const std::vector<File>& files() const { return files_; }

 private:
  std::string content_of(std::string_view name) const;
  std::string folder_;
  std::map<std::string, std::string, std::less<>> held_;
  std::vector<File> files_;
};

}  // namespace posse
