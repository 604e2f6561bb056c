// Objectives from data and simulations, a client's own each, as the catalogue lists them: landmine
// detection, fractional vaccine doses.
#pragma once

#include <vector>

#include "core/objective/factories.hpp"

namespace posse {

std::vector<ObjectiveSpec> data_objective_specs();

}  // namespace posse
