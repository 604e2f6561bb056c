// What was built, for `--version` and metadata.json.
#pragma once

#include <string>
#include <vector>

namespace posse {

std::string version();
std::string commit();  // as of the configuration of the build; "unknown" outside a repository
std::string compiler();
std::vector<std::string> libraries();

}  // namespace posse
