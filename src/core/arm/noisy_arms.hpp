// SPDX-License-Identifier: Apache-2.0
// Smooth convex functions with noisy gradients as arms.
//
// Source: Dorn et al. 2025, section 5.3: the functions of equation 20 with p = 1, and gradients
// with noise, sigma = 2; values have no noise. Start x* + kappa (1, …, 1): kappa = 1, divided
// by 1.1 while f > 10 - 4 f*, then multiplied by 1.2 while f < 8 - 4 f*. x* and the start are
// clipped to the box [-h, h]^d, which has no effect for h = 7, the value in the authors' code (see
// PAPERS.md, f-lcb-15).
//   ac-sa               Lan's valid form for convex f, in expectation; over the box's intersection
//                       with the ball of radius R around the start (see PAPERS.md, f-lcb-23)
//   ac-sa-coded         as in the authors' code: over the box, R in place of V and DX2, M = 2
//   ac-sa-strong        with mu > 0
//   clipped-sstm-…      theory, practical, shorthand; on all of R^d
//   r-clipped-sstm-…    restarts; theory, practical, shorthand; mu > 0
// mu > 0 adds mu |x - x*|^2/2 to every function; the paper's functions are not strongly convex.
// Failure probability of probabilistic bounds: delta = 1/(K T^2 A), A = max of f over arms and box.
// Streams: those of smooth arms, and `oracle/fI`.
#pragma once

#include "core/arm/arm_family.hpp"
#include "core/function/synthetic_functions.hpp"

namespace posse {

/// kappa of the rule for the start; needs f* < 2.
double start_offset(const SmoothCone& function);

/// The maximum of f over [-h, h]^d.
double largest_over_box(const SmoothCone& function, double half);

ArmFamilySpec noisy_arms_spec();

}  // namespace posse
