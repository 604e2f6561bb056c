// SPDX-License-Identifier: Apache-2.0
// Sample points on which a function is checked before a run uses it.
//
// In up to 7 dimensions: a grid of 2^k + 1 points per side, at most 5000 in all (4097 in one
// dimension, 65^2 in two). It contains the bounds and the centre of the box and the corners of
// dyadic cells. Consecutive points are neighbours on the grid (coordinates alternate in direction).
// Above 7 dimensions: the centre, the ends of every axis through it, the two extreme corners, and a
// Kronecker sequence (multiples of powers of the generalised golden ratio, modulo 1).
#pragma once

#include <vector>

#include "core/domain/box.hpp"

namespace posse {

std::vector<std::vector<double>> sample_points(const Box& box);

}  // namespace posse
