// SPDX-License-Identifier: Apache-2.0
// Virtual time: 64-bit integer nanoseconds since the start of the run. The core never reads a
// clock.
#pragma once

#include <cmath>
#include <compare>
#include <cstdint>
#include <limits>

namespace posse {

/// A span of virtual time in nanoseconds, up to 292 years.
struct Duration {
  std::int64_t ns = 0;

  static constexpr Duration nanoseconds(std::int64_t n) { return {n}; }
  /// Rounds to the nearest nanosecond; saturates instead of overflowing.
  static Duration seconds(double s) {
    const double ns = s * 1e9;
    if (!(ns < 9.2e18)) return max();
    if (ns < -9.2e18) return {std::numeric_limits<std::int64_t>::min()};
    // As std::round, which is a function call: halves away from zero.
    const auto whole = static_cast<std::int64_t>(ns);
    const double part = ns - static_cast<double>(whole);
    return {whole + (part >= 0.5) - (part <= -0.5)};
  }
  static constexpr Duration max() { return {std::numeric_limits<std::int64_t>::max()}; }
  constexpr double to_seconds() const { return static_cast<double>(ns) / 1e9; }

  constexpr auto operator<=>(const Duration&) const = default;
  /// Saturates at `max()`.
  constexpr Duration operator+(Duration d) const {
    std::int64_t sum = 0;
    if (__builtin_add_overflow(ns, d.ns, &sum)) return max();
    return {sum};
  }
  /// `count` times this; saturates at `max()`.
  constexpr Duration operator*(std::uint64_t count) const {
    std::int64_t product = 0;
    if (__builtin_mul_overflow(ns, count, &product)) return max();
    return {product};
  }
  constexpr Duration operator-(Duration d) const { return {ns - d.ns}; }
  constexpr Duration& operator+=(Duration d) { return *this = *this + d; }
};

/// A point in virtual time: nanoseconds since the start of the run.
struct Time {
  std::int64_t ns = 0;

  static constexpr Time max() { return {std::numeric_limits<std::int64_t>::max()}; }
  constexpr double to_seconds() const { return static_cast<double>(ns) / 1e9; }

  constexpr auto operator<=>(const Time&) const = default;
  /// Saturates at `Time::max()`.
  constexpr Time operator+(Duration d) const {
    std::int64_t sum = 0;
    if (__builtin_add_overflow(ns, d.ns, &sum)) return max();
    return {sum};
  }
  constexpr Time operator-(Duration d) const { return {ns - d.ns}; }
  constexpr Duration operator-(Time t) const { return {ns - t.ns}; }
};

}  // namespace posse
