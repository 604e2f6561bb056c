// SPDX-License-Identifier: Apache-2.0
// Scenario files as texts that can be changed and stored anywhere.
#pragma once

#include <string>
#include <vector>

#include "program/scenario/diagnostics.hpp"
#include "program/scenario/scenario.hpp"

namespace posse {

/// A scenario and the tree that it was read from, as a text that holds the input files and has
/// absolute paths of directories. Throws OutsideFailure if it has the command of another user.
std::string self_contained_text(Value root, const Scenario& scenario);
/// Of a file with other values; the file's own text if the reader finds mistakes. Throws FileError,
/// too.
std::string self_contained_text(const std::string& file,
                                const std::vector<Override>& overrides,
                                Diagnostics& diagnostics);

/// The resolved scenario, which holds its input files.
Table resolved_tree(const Scenario& scenario);

}  // namespace posse
