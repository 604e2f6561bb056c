// SPDX-License-Identifier: Apache-2.0
#include "program/base/temporary_folder.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <system_error>

#include "program/base/files.hpp"

namespace posse {
namespace fs = std::filesystem;

TemporaryFolder::TemporaryFolder() {
  std::string name = (fs::temp_directory_path() / "posse-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr)
    throw FileError(name, fmt::format("can't be created: {}", std::strerror(errno)));
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace posse
