// SPDX-License-Identifier: Apache-2.0
#include "program/base/data_folder.hpp"

#include <dlfcn.h>

namespace posse {
namespace fs = std::filesystem;

fs::path data_folder() {
  // The file that this function was loaded from: the library, or a program that holds it.
  Dl_info here{};
  std::error_code error;
  fs::path file;
  if (dladdr(reinterpret_cast<const void*>(&data_folder), &here) != 0 &&
      here.dli_fname != nullptr &&
      *here.dli_fname == '/')  // of a program it may be the word that started it
    file = fs::canonical(here.dli_fname, error);
  if (file.empty()) file = fs::read_symlink("/proc/self/exe", error);
  const auto beside = file.parent_path().parent_path();
  for (const auto& prefix : {beside, beside.parent_path()})
    if (auto folder = prefix / "share/posse"; fs::is_directory(folder, error)) return folder;
  return beside / "share/posse";
}

}  // namespace posse
