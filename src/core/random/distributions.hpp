// SPDX-License-Identifier: Apache-2.0
// Draws from continuous distributions. Boost.Random's algorithms run on `PortableDouble`, so that
// the bits are the same on every processor; golden values in the tests pin them. The number of
// engine words per draw depends on the algorithm.
#pragma once

#include <array>
#include <cstdint>

#include "core/random/philox_row.hpp"
#include "core/random/stream.hpp"

namespace posse {

/// N(0, 1), by the ziggurat.
double draw_normal(DrawEngine& draws);
/// Exp(1), mean 1, by the ziggurat.
double draw_exponential(DrawEngine& draws);
/// Exp(1) for a row of draws from `first` on, in fewer instructions.
void draw_exponential_row(StreamKey stream,
                          std::uint64_t first,
                          const PhiloxRow& blocks,
                          std::array<double, kRowSize>& drawn);
/// Gamma with shape > 0 and scale 1: mean = shape.
double draw_gamma(DrawEngine& draws, double shape);
/// Student's t with `degrees` > 0 degrees of freedom.
double draw_student_t(DrawEngine& draws, double degrees);

}  // namespace posse
