// SPDX-License-Identifier: Apache-2.0
// Loads algorithms of the user's from shared libraries (core/role/plugin.hpp).
#pragma once

#include <string>

namespace posse {

/// Loads a library and adds its algorithms to the catalogue; it stays loaded. Before other threads
/// use the catalogue. Throws InputError that names the file: it can't be loaded, is for another
/// version of Posse, is no plug-in, or has an algorithm whose name is taken.
void load_plugin(const std::string& file);

}  // namespace posse
