// SPDX-License-Identifier: Apache-2.0
#include "core/base/module.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include "core/base/outside_failure.hpp"

namespace posse {

const void* load_module(const char* name) {
  const auto failure = [name] {
    const char* why = dlerror();
    return OutsideFailure(
        fmt::format("Posse's module '{}' can't be loaded, install Posse again: {}",
                    name,
                    why != nullptr ? why : "it exports nothing"));
  };
  // A name without a path is looked for where the library that calls dlopen says (RUNPATH).
  const auto file = fmt::format("posse-{}.so", name);
  void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw failure();
  const void* exported = dlsym(library, "posse_module");
  if (exported == nullptr) throw failure();
  return exported;
}

}  // namespace posse
