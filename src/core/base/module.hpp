// SPDX-License-Identifier: Apache-2.0
// Modules: shared libraries of Posse's own, each of which links a library that few runs need. They
// are loaded when they are first used, for the program would otherwise spend most of a short run on
// linking.
#pragma once

namespace posse {

/// What the module NAME exports as `posse_module`; it is loaded once and stays. Throws
/// OutsideFailure that says why it can't be loaded.
const void* load_module(const char* name);

/// `Functions` is a struct of pointers to functions, with the module's name as `kModule`.
template <class Functions>
const Functions& module() {
  static const auto& loaded = *static_cast<const Functions*>(load_module(Functions::kModule));
  return loaded;
}

}  // namespace posse

/// In the source of a module: what it exports.
#define POSSE_MODULE(Functions) extern "C" const Functions posse_module
