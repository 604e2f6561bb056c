// Convex functions on a user's data as arms: several optimizers on one function (which optimizer to
// take), or several functions (which model).
//
// The lists functions, optimizers, l1, l2 and huber have one entry for all arms or one each; the
// longest is K. Functions are those of empirical_risk.hpp, over one feasible set: space, box
// [low, high]^d, l1-ball or simplex of radius `size`. L, M and mu come from the data; f_i* from a
// certified solution where there is one, else it is unknown and so are regrets.
//   R  known: the distance from the start to the point found, to which optimizers' bounds apply as
//      to any other; diameter: the largest distance from the start to a point of the set; given
// With noise, delta = 1/(K T^2 A), A the largest of f_i(start) + M_i D, or f_i(start) without
// bounds. Names: FUNCTION-OPTIMIZER, with .2, .3, … where one comes again. Streams: `oracle/NAME`.
#pragma once

#include "core/arm/arm_family.hpp"

namespace posse {

ArmsSpec function_arms_spec();

}  // namespace posse
