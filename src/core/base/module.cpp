// SPDX-License-Identifier: Apache-2.0
#include "core/base/module.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <string>
#include <string_view>

#include "core/base/outside_failure.hpp"

namespace posse {
namespace {

/// With a slash at its end.
std::string folder_of(std::string_view file) {
  return std::string(file.substr(0, file.rfind('/') + 1));
}

/// Where the module is: below the library that this code is in, or beside a program that has it all
/// in itself, or else where the dynamic linker looks.
std::string path_of(const std::string& file) {
  Dl_info library{};
  std::array<char, 4096> program{};
  std::string path;
  if (dladdr(reinterpret_cast<const void*>(&load_module), &library) != 0)
    path = folder_of(library.dli_fname) + "posse/" + file;
  if (access(path.c_str(), F_OK) == 0) return path;
  if (readlink("/proc/self/exe", program.data(), program.size() - 1) > 0)
    path = folder_of(program.data()) + "../lib/posse/" + file;
  return access(path.c_str(), F_OK) == 0 ? path : file;
}

}  // namespace

const void* load_module(const char* name) {
  const auto failure = [name] {
    return OutsideFailure(fmt::format(
        "Posse's module '{}' can't be loaded, install Posse again: {}", name, dlerror()));
  };
  const auto path = path_of(fmt::format("posse-{}.so", name));
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw failure();
  const void* exported = dlsym(library, "posse_module");
  if (exported == nullptr) throw failure();
  return exported;
}

}  // namespace posse
