// SPDX-License-Identifier: Apache-2.0
// The build, for `--version` and metadata.json.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace posse {

/// Rises when the same scenario and seed begin to give other results, or files of another form.
inline constexpr std::uint32_t kResultsVersion = 7;

std::string version();
std::string commit();  // of the build; "unknown" outside a repository
std::string compiler();
std::vector<std::string> libraries();

/// Processor and C library, on which results of foreign libraries depend:
/// "x86-64, AVX2, FMA; glibc 2.36".
std::string machine_mathematics();

}  // namespace posse
