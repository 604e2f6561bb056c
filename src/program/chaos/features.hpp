// SPDX-License-Identifier: Apache-2.0
// What chaos has reached: the features of scenarios and runs, which prove that rare branches were
// taken.
#pragma once

#include <string>
#include <vector>

#include "program/chaos/trial.hpp"

namespace posse {

/// The names of the features that a trial has, such as "algorithm fed-pne" or "stalled".
std::vector<std::string> features_of(const Trial& trial);
/// All names, in the order of the report.
std::vector<std::string> all_features();
/// The names of the kernel's branches that a trial reaches (core/sim/branches.hpp).
std::vector<std::string> branches_of(const Trial& trial);

}  // namespace posse
