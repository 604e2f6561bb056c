// SPDX-License-Identifier: Apache-2.0
// Smooth convex functions as arms, and the drawing of such functions, which noisy arms share.
//
// Source: Dorn et al. 2025, section 5.1, equation 20: f_i = c_i - 1 + sqrt(1 + (x - x*)' S (x -
// x*)), so min f_i = c_i (see PAPERS.md, f-lcb-10). S is diagonal, S_1 = 1, the others exp(-p xi),
// xi ~ U[0, 1]; x* ~ N(0, I); L = 1. Accelerated gradient descent from x* + offset in every
// coordinate: 4.5 for f1, 2 for the others. `file` replaces the draws by a given instance, the same
// in every repetition.
// Streams: `arm-curvature/fI` (draw j: S_{j+1}) and `arm-minimiser/fI` (draw 0), I = 1 … K.
#pragma once

#include "core/arm/arm_family.hpp"
#include "core/function/synthetic_functions.hpp"

namespace posse {

/// The diagonal of S and x* of arm `name`.
struct SmoothDraw {
  Vector diagonal, minimiser;
};
SmoothDraw draw_smooth(const Repetition& repetition,
                       std::string_view name,
                       Eigen::Index dimension,
                       double p);

/// One arm of a given instance.
struct SmoothInstance {
  double minimum = 0;  // c
  double offset = 0;   // x0 = x* + offset
  SmoothDraw function;
};

/// Reads a CSV with the columns fstar, x0_minus_xstar_each_coord, sigma_0 … sigma_{d-1} (> 0),
/// xstar_0 … xstar_{d-1}, one row per arm. Other columns are ignored. Throws InputError.
std::vector<SmoothInstance> parse_smooth_instances(std::string_view text);

/// Parameters shared by smooth and noisy arms: dimension, p, minima.
std::vector<ParameterSpec> smooth_parameters(double default_p);

ArmFamilySpec smooth_arms_spec();

}  // namespace posse
