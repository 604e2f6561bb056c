// SPDX-License-Identifier: Apache-2.0
// The parameters `constants` and `c`: the confidence width of the parallel X-armed bandit.
//
// `theory` is Hoeffding's width, c = 1/sqrt(2) (bounds.hpp). The authors of Fed-PNE and PF-PNE run
// their experiments with c = 0.1 instead of the theory's 2; `practical` is the same choice here
// (Posse's own), so that a comparison with them has like constants.
#pragma once

#include <vector>

#include "actors/parallel/bounds.hpp"
#include "core/base/parameters.hpp"
#include "core/role/measurement.hpp"
#include "core/role/protocol.hpp"

namespace posse {

std::vector<ParameterSpec> parallel_constant_parameters();
double parallel_c_squared(const Parameters& parameters);

Widths parallel_widths(const theory::ParallelParameters& p);
/// For bounds that hold with probability 1 - delta.
void require_parallel_constants(const theory::ParallelParameters& p, Bound& bound);

}  // namespace posse
