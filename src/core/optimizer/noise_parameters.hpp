// SPDX-License-Identifier: Apache-2.0
// Parameters of a stochastic oracle's noise, shared by kinds of arms: noise, sigma, alpha, theta.
#pragma once

#include <string>
#include <vector>

#include "core/base/parameters.hpp"
#include "core/optimizer/gradient_noise.hpp"

namespace posse {

std::vector<ParameterSpec> gradient_noise_parameters(std::string kind, double sigma);

/// Throws InputError if they contradict each other.
GradientNoise parse_gradient_noise(const Parameters& parameters);

}  // namespace posse
