// SPDX-License-Identifier: Apache-2.0
// The picture of a claim about growth: the measure over the settings, and the claimed growth.
#pragma once

#include <optional>
#include <vector>

#include "program/plot/chart.hpp"
#include "program/reproduce/claims.hpp"

namespace posse {

/// Every algorithm's means over the key of the first check, and for each check that claims a rate a
/// dashed line from its algorithm's first mean on, as steep as claimed, and one as steep as the
/// lower bound. `checks` are of settings, with the same key and measure; logarithms of rounds have
/// a logarithmic x axis only. Nothing if no setting has a number.
std::optional<Chart> growth_chart(const std::vector<const Check*>& checks,
                                  const std::vector<RunData>& settings);

}  // namespace posse
