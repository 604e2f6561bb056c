// SPDX-License-Identifier: Apache-2.0
#include "core/base/exact_sum.hpp"

#include <cmath>

#include "core/base/check.hpp"

namespace posse {

namespace {
constexpr int kFraction = 80;  // bits
constexpr int kMantissa = 53;
}  // namespace

Int128 to_multiple(double x) {
  POSSE_CHECK(std::fabs(x) <= kLargestTerm,
              "{} is too large to be added exactly: above {}",
              x,
              kLargestTerm);
  int exponent = 0;
  const auto mantissa = static_cast<std::int64_t>(std::ldexp(std::frexp(x, &exponent), kMantissa));
  const int shift = exponent - kMantissa + kFraction;
  if (shift >= 0) return Int128{mantissa} << shift;
  // Below 2^-27 some bits may be lost.
  return static_cast<Int128>(std::nearbyint(std::ldexp(static_cast<double>(mantissa), shift)));
}

double from_multiple(Int128 multiple) {
  return std::ldexp(static_cast<double>(multiple), -kFraction);
}

std::vector<std::uint64_t> to_halves(const std::vector<Int128>& multiples) {
  std::vector<std::uint64_t> halves;
  halves.reserve(2 * multiples.size());
  for (const Int128 multiple : multiples) {
    halves.push_back(static_cast<std::uint64_t>(multiple));
    halves.push_back(static_cast<std::uint64_t>(multiple >> 64));
  }
  return halves;
}

}  // namespace posse
