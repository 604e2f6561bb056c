// Rounding of the theory's real numbers to counts.
#pragma once

#include <cmath>
#include <cstdint>

namespace posse::theory {

/// max(1, ceil(x)), saturated at 2^63: far above any budget, and no undefined conversion.
inline std::uint64_t ceil_to_count(double x) {
  const double up = std::ceil(x);
  if (!(up > 1)) return 1;
  return up < 0x1p63 ? static_cast<std::uint64_t>(up) : std::uint64_t{1} << 63;
}

/// floor(x) of a logarithm that bounds an integer, at least 0, saturated at 2^63, as is NaN (no
/// bound). An integer missed by rounding errors of the logarithm must not turn into a broken bound:
/// 1e-9 is added.
inline std::uint64_t floor_to_count(double x) {
  if (std::isnan(x)) return std::uint64_t{1} << 63;
  const double down = std::floor(x + 1e-9);
  if (!(down > 0)) return 0;
  return down < 0x1p63 ? static_cast<std::uint64_t>(down) : std::uint64_t{1} << 63;
}

}  // namespace posse::theory
