// SPDX-License-Identifier: Apache-2.0
#include "program/scenario/plugins.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <set>

#include "core/base/parameters.hpp"
#include "core/role/plugin.hpp"
#include "program/base/files.hpp"
#include "program/base/version.hpp"
#include "program/scenario/catalog.hpp"

namespace posse {
namespace {

/// What the dynamic linker says, in a sentence.
std::string loading_failure(const std::string& file) {
  const char* said = dlerror();
  const std::string text = said == nullptr ? "it can't be loaded" : said;
  if (text.find("POSSE_CXX_") != std::string::npos)
    return fmt::format(
        "the plug-in '{}' was built for another version of Posse than {}: build it again ({})",
        file,
        version(),
        text);
  return fmt::format("the plug-in '{}' can't be loaded: {}", file, text);
}

}  // namespace

void load_plugin(const std::string& file) {
  std::error_code error;
  // With a path, or else the dynamic linker would look elsewhere.
  const auto path = std::filesystem::absolute(file, error).string();
  static std::set<std::string> loaded;
  if (loaded.contains(path)) return;
  try {
    close(open_regular_file(path));  // the linker would wait for a pipe
  } catch (const FileError& problem) {
    throw InputError(fmt::format("the plug-in {}", problem.what()));
  }
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw InputError(loading_failure(file));
  const auto contents = reinterpret_cast<const Plugin* (*)()>(dlsym(library, "posse_plugin"));
  if (contents == nullptr)
    throw InputError(
        fmt::format("'{}' is a library, but not a plug-in of Posse: it has no POSSE_PLUGIN", file));
  for (const AlgorithmSpec* spec : contents()->algorithms) {
    try {
      add_algorithm(*spec);
    } catch (const InputError& problem) {
      throw InputError(fmt::format("the plug-in '{}': {}", file, problem.what()));
    }
  }
  loaded.insert(path);
}

}  // namespace posse
