// SPDX-License-Identifier: Apache-2.0
// Parameters of HCT and VHCT, for all algorithms that run them.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/parameters.hpp"
#include "core/role/protocol.hpp"
#include "core/theory/tree_learners.hpp"

namespace posse {

/// `constants`, c and delta.
std::vector<ParameterSpec> hct_constant_parameters();
/// `range`, VHCT's b.
ParameterSpec vhct_range_parameter();
inline Widths hct_widths(const theory::HctParameters& p) {
  return theory::hct_constants_apply(p) ? Widths::theory : Widths::practical;
}
/// The constants that `constants`, c and delta give for n evaluations of one learner with (nu,
/// rho).
theory::HctParameters hct_constants(const Parameters& parameters,
                                    std::uint64_t n,
                                    double nu,
                                    double rho);
/// hct_constants with (nu, rho) from the parameters nu1 and rho.
inline theory::HctParameters hct_constants(const Parameters& parameters, std::uint64_t n) {
  return hct_constants(parameters, n, parameters.real("nu1"), parameters.real("rho"));
}

}  // namespace posse
