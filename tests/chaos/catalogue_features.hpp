// SPDX-License-Identifier: Apache-2.0
// What chaos has reached beside the features of environments: components of the catalogue, and
// branches of the kernel.
#pragma once

#include <string>
#include <vector>

#include "program/fates/features.hpp"

namespace posse {

const std::vector<Feature>& catalogue_features();
/// The names of the kernel's branches that a trial reaches (core/sim/branches.hpp).
std::vector<std::string> branches_of(const Trial& trial);

}  // namespace posse
