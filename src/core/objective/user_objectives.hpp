// SPDX-License-Identifier: Apache-2.0
// Catalogue entries of user-defined objectives: an expression, a table.
#pragma once

#include <vector>

#include "core/objective/factories.hpp"

namespace posse {

std::vector<ObjectiveSpec> user_objective_specs();

/// The parameters `low` and `high`, a number or one per dimension, default 0 and 1.
std::vector<ParameterSpec> box_parameters();
/// The box that `low` and `high` define; one number applies to all dimensions. Throws InputError.
Box box_of(const Parameters& parameters);
/// `box` itself; throws InputError unless low < high everywhere.
Box checked(Box box);
/// The parameters `factor` and `offset`: f = offset + factor * value.
std::vector<ParameterSpec> reward_parameters();

}  // namespace posse
