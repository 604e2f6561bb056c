// The smooth arms with noisy gradients of experiment 5.3.
//
// Paper 004, section 5.3: the functions of eq. 20 with p = 1 and gradients with noise, sigma = 2;
// values are observed without noise. Start x* + kappa (1, …, 1): kappa = 1, divided by 1.1 while f
// > 10 - 4 f*, then times 1.2 while f < 8 - 4 f*. Both x* and the start are clipped to the box
// [-h, h]^d, which changes nothing at the paper's h = 7.
//   ac-sa               Lan's valid form for convex f, in mean; over the box
//   ac-sa-coded         the authors' code: R in place of V and DX2, M = 2
//   ac-sa-strong        with mu > 0
//   clipped-sstm-…      theory, practical, shorthand; on all of R^d
//   r-clipped-sstm-…    restarts, the same modes; mu > 0
// mu > 0 adds mu |x - x*|^2/2 to every function; the paper's are not strongly convex.
// Failure probability of bounds that have one: delta = 1/(K T^2 A), A = max over arms and box of f.
// Streams: those of smooth arms, and `oracle/fI`.
#pragma once

#include "core/arm/arm_family.hpp"
#include "core/function/synthetic_functions.hpp"

namespace posse {

/// kappa of the start rule; f* < 2.
double start_offset(const SmoothCone& function);

/// The largest value over [-h, h]^d.
double largest_over_box(const SmoothCone& function, double half);

ArmsSpec noisy_arms_spec();

}  // namespace posse
