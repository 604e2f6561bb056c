// SPDX-License-Identifier: Apache-2.0
#include "program/scenario/plugins.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "core/base/parameters.hpp"
#include "core/role/plugin.hpp"
#include "program/base/files.hpp"
#include "program/base/version.hpp"
#include "program/scenario/catalog.hpp"

namespace posse {
namespace {

std::vector<LoadedPlugin>& all_plugins() {
  static std::vector<LoadedPlugin> plugins;
  return plugins;
}

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
  const bool again = std::any_of(all_plugins().begin(),
                                 all_plugins().end(),
                                 [&](const LoadedPlugin& other) { return other.file == path; });
  if (again) return;
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
  LoadedPlugin loaded{path, {}};
  for (const AlgorithmSpec* spec : contents()->algorithms) {
    try {
      add_algorithm(*spec);
    } catch (const InputError& problem) {
      throw InputError(fmt::format("the plug-in '{}': {}", file, problem.what()));
    }
    loaded.algorithms.emplace_back(spec->kind);
  }
  all_plugins().push_back(std::move(loaded));
}

const std::vector<LoadedPlugin>& loaded_plugins() { return all_plugins(); }

}  // namespace posse
