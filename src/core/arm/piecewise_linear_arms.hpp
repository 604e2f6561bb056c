// SPDX-License-Identifier: Apache-2.0
// Piecewise linear functions as arms.
//
// Source: Dorn et al. 2025, section 5.2, equation 21: f_i = max_k (a_k' x + b_k) + c over the box
// [-h, h]^d with 5, 10 and 12 planes, a_k ~ 2 N(0, I), b_k ~ 2 N(0, 1). The constant c shifts the
// exact minimum over the box, found by linear programming, to 0.5, 1 and 1.5. The start is 0, the
// box's centre. Default h = 1 as in the authors' code; the paper's h = 4 does not separate the arms
// within T = 1000 (see PAPERS.md, f-lcb-12).
//   M  the largest norm of a plane's row; for triple-averaging-coded the largest absolute entry, as
//      in the authors' code, so that its g is not a bound (see PAPERS.md, f-lcb-13 and f-lcb-14)
//   R  |x*| (known), or half the diameter
// `file` replaces the draws by a given instance, the same in every repetition.
// Streams: `plane-offset/fI` (draw k: b_k) and `plane-slope/fI` (draw k: a_k), I = 1 … K.
#pragma once

#include "core/arm/arm_family.hpp"
#include "core/function/synthetic_functions.hpp"

namespace posse {

/// The planes of one arm before its shift.
struct Planes {
  PiecewiseLinear::Matrix slopes;  // a row per plane
  Vector offsets;
  std::optional<double> shift;  // c; none: from the required minimum
};

Planes draw_planes(const Repetition& repetition,
                   std::string_view name,
                   Eigen::Index planes,
                   Eigen::Index dimension,
                   double spread);

/// Reads a CSV with the columns arm, b_k, a_0 … a_{d-1} and shift_c, one row per plane; the rows of
/// an arm are consecutive. Other columns are ignored. Throws InputError.
std::vector<Planes> parse_planes(std::string_view text);

ArmFamilySpec piecewise_linear_arms_spec();

}  // namespace posse
