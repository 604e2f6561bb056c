// SPDX-License-Identifier: Apache-2.0
// Catalogue entries of the objectives made from data and simulations: landmine detection and
// fractional vaccine doses. Each client has an objective of its own.
#pragma once

#include <vector>

#include "core/objective/factories.hpp"

namespace posse {

std::vector<ObjectiveSpec> data_objective_specs();

}  // namespace posse
