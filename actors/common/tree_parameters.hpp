// Parameters that several tree algorithms share, declared once.
#pragma once

#include <string_view>
#include <vector>

#include "core/base/parameters.hpp"

namespace posse {

/// nu1 (default 1) and rho (0.5): P1 and P3's setting.
std::vector<ParameterSpec> smoothness_parameters();
/// c (0.1), c1 (1) and delta (auto: 1/M) of the phased algorithms (P1, P3). `c1_help` says what
/// their theory asks of c1.
std::vector<ParameterSpec> confidence_parameters(std::string_view c1_help);

/// Appends `more` to `specs`.
void append(std::vector<ParameterSpec>& specs, std::vector<ParameterSpec> more);

}  // namespace posse
