// What was built, for `--version` and metadata.json.
#pragma once

#include <string>
#include <vector>

namespace posse {

std::string version();
std::string commit();  // that was built; "unknown" outside a repository
std::string compiler();
std::vector<std::string> libraries();

/// What the machine's own mathematics depends on, for results that a foreign library computes:
/// "x86-64, AVX2, FMA; glibc 2.36".
std::string machine_mathematics();

}  // namespace posse
