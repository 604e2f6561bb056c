// SPDX-License-Identifier: Apache-2.0
// The arms of a functional bandit as a text table.
#pragma once

#include <cstddef>
#include <string>

#include "program/run/runner.hpp"

namespace posse {

/// A line per arm over the algorithm's finished runs: pulls, best value, its confidence bound
/// at the end, the number of its last pull, how often it was the answer. Empty without arms.
std::string arms_text(const ScenarioResult& result, std::size_t algorithm);

}  // namespace posse
