// SPDX-License-Identifier: Apache-2.0
// Where the files are that Posse was installed with.
#pragma once

#include <filesystem>

namespace posse {

/// `share/posse` beside the folder of the program or of the library, or one level further up, as in
/// /usr/bin, /usr/lib/x86_64-linux-gnu and in a build folder. It may not exist.
std::filesystem::path data_folder();

}  // namespace posse
