// SPDX-License-Identifier: Apache-2.0
// Convex functions on a user's data as arms: several optimizers on one function (to choose an
// optimizer), or several functions (to choose a model).
//
// The lists functions, optimizers, l1, l2 and huber have one entry for all arms or one per arm; the
// longest has K. Functions are those of empirical_risk.hpp over one feasible set: space, box
// [low, high]^d, l1-ball or simplex of radius `size`. L, M and mu come from the data. f_i* comes
// from a certified solution where there is one; else it is unknown, and so are regrets.
//   R  known: the distance from the start to the solution found, since the optimizers' bounds hold
//      relative to any point; diameter: the largest distance from the start to a point of the set;
//      given: by the user
// With noise, delta = 1/(K T^2 A), where A is the largest f_i(start) + M_i D on a bounded set of
// diameter D, else the largest f_i(start). Names: FUNCTION-OPTIMIZER, with .2, .3, … for
// repetitions. Streams: `oracle/NAME`.
#pragma once

#include "core/arm/arm_family.hpp"

namespace posse {

ArmFamilySpec function_arms_spec();

}  // namespace posse
