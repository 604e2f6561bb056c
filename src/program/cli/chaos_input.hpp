// SPDX-License-Identifier: Apache-2.0
// What verbs are given that check properties of runs.
#pragma once

#include <string>

namespace posse {

/// Says what is allowed if there is no such property; an empty name means all.
bool known_property(const std::string& name);
/// A scenario's text, with its input files: of the file, or of a seed of chaos.
std::string scenario_text(const std::string& file);

}  // namespace posse
