// Points at which to look at a function before anything relies on it.
//
// In up to 7 dimensions a grid of 2^k + 1 points a side, at most 5000 in all (4097 in one
// dimension, 65^2 in two): with the box's ends and centre, and the corners of dyadic cells.
// Neighbours in the list are neighbours on the grid (coordinates run there and back). Above 7
// dimensions, the centre, the ends of every axis through it, the two extreme corners and a
// Kronecker sequence (multiples of powers of the generalised golden ratio, modulo 1).
#pragma once

#include <vector>

#include "core/domain/box.hpp"

namespace posse {

std::vector<std::vector<double>> sample_points(const Box& box);

}  // namespace posse
