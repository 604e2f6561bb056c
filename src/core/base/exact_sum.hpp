// SPDX-License-Identifier: Apache-2.0
// Sums that do not depend on the order of their terms: numbers as whole multiples of 2^-80, in 128
// bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace posse {

__extension__ using Int128 = __int128;

/// 65 536 numbers up to this size can be added.
inline constexpr double kLargestTerm = 1073741824.0;  // 2^30

/// The multiple of 2^-80 nearest to `x`, ties to even: off by at most 2^-81 (4e-25). |x| must not
/// exceed kLargestTerm.
Int128 to_multiple(double x);
/// The double nearest to the number, ties to even.
double from_multiple(Int128 multiple);

/// As messages carry them: low and high half of each.
std::vector<std::uint64_t> to_halves(const std::vector<Int128>& multiples);
/// Number `i` of `halves`.
inline Int128 from_halves(const std::vector<std::uint64_t>& halves, std::size_t i) {
  return (Int128{static_cast<std::int64_t>(halves[2 * i + 1])} << 64) + halves[2 * i];
}

}  // namespace posse
