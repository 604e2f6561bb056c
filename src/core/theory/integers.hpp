// SPDX-License-Identifier: Apache-2.0
// Rounding of the theory's real numbers to integers.
#pragma once

#include <cmath>
#include <cstdint>

namespace posse::theory {

/// max(1, ceil(x)), saturated at 2^63: which is above any budget and avoids undefined conversions.
inline std::uint64_t ceil_to_count(double x) {
  const double up = std::ceil(x);
  if (!(up > 1)) return 1;
  return up < 0x1p63 ? static_cast<std::uint64_t>(up) : std::uint64_t{1} << 63;
}

/// floor(x) for a logarithm x that bounds an integer: at least 0, saturated at 2^63, which is also
/// the result for NaN (no bound). 1e-9 is added, so that rounding errors of the logarithm cannot
/// make the bound too small.
inline std::uint64_t floor_to_count(double x) {
  if (std::isnan(x)) return std::uint64_t{1} << 63;
  const double down = std::floor(x + 1e-9);
  if (!(down > 0)) return 0;
  return down < 0x1p63 ? static_cast<std::uint64_t>(down) : std::uint64_t{1} << 63;
}

}  // namespace posse::theory
