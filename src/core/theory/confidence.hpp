// SPDX-License-Identifier: Apache-2.0
// The number of rewards for which a cell's mean is as accurate as its smoothness term.
//
// Fed-PNE's tau_h and HCT's tau_h(t) are the same formula with different logarithms.
#pragma once

#include <cmath>
#include <cstdint>

#include "core/base/math.hpp"
#include "core/theory/integers.hpp"

namespace posse::theory {

/// ceil(c^2 L nu^-2 rho^-2h), the least T with c sqrt(L / T) <= nu rho^h. At least 1; saturates at
/// 2^63. c, nu > 0, 0 < rho < 1, L = `log_term` >= 0.
inline std::uint64_t confident_pulls(
    double c, double log_term, double nu, double rho, std::uint32_t depth) {
  const double minus_2h = -2 * static_cast<double>(depth);
  const double pulls = c * c * log_term * math::pow(nu, -2) * math::pow(rho, minus_2h);
  if (!std::isnan(pulls)) return ceil_to_count(pulls);
  // 0 times infinity: constants far from 1, whose powers exceed the range of double.
  return ceil_to_count(
      math::exp(2 * math::log(c / nu) + math::log(log_term) + minus_2h * math::log(rho)));
}

}  // namespace posse::theory
