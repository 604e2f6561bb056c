// SPDX-License-Identifier: Apache-2.0
// A scenario with some of its algorithms, valid alone.
#pragma once

#include <set>
#include <string>

#include "program/scenario/scenario.hpp"

namespace posse {

/// The scenario with the algorithms of these labels. Sections, rules, names in rules, lines of
/// files and thresholds that do nothing to any of them are gone; what is gone since an algorithm
/// lacks its names is told in Scenario::left_out. Runs are the same as in the whole scenario.
Scenario with_algorithms(Scenario scenario, const std::set<std::string>& labels);

}  // namespace posse
