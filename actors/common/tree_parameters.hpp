// Parameters that several tree algorithms share.
#pragma once

#include <string_view>
#include <vector>

#include "core/base/parameters.hpp"

namespace posse {

/// nu1 (default 1) and rho (0.5), as in the experiments of the Fed-PNE and PF-PNE papers.
std::vector<ParameterSpec> smoothness_parameters();
/// c (0.1), c1 (1) and delta (auto: 1/M) of Fed-PNE and PF-PNE. `c1_help` says what the theory
/// requires of c1.
std::vector<ParameterSpec> confidence_parameters(std::string_view c1_help);

/// Appends `more` to `specs`.
void append(std::vector<ParameterSpec>& specs, std::vector<ParameterSpec> more);

}  // namespace posse
