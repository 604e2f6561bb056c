// Draws from continuous distributions: Boost.Random's algorithms on `Real`, so that their bits are
// the same on every processor. Golden values pin them. Each draw takes as many words of the engine
// as its algorithm needs.
#pragma once

#include "core/random/stream.hpp"

namespace posse {

/// N(0, 1), by the ziggurat.
double draw_normal(DrawEngine& draws);
/// Exp(1), mean 1, by the ziggurat.
double draw_exponential(DrawEngine& draws);
/// Gamma with shape > 0 and scale 1: mean = shape.
double draw_gamma(DrawEngine& draws, double shape);
/// Student's t with so many degrees of freedom, > 0.
double draw_student_t(DrawEngine& draws, double degrees);

}  // namespace posse
