// SPDX-License-Identifier: Apache-2.0
// Durations, sizes and rates written as a number and a unit.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/time.hpp"

namespace posse {

/// A value, or the problem with the text.
template <class T>
struct Parsed {
  std::optional<T> value;
  std::string problem;
};

/// In seconds: 285 years. Virtual time ends after 292.
inline constexpr double kLongestDuration = 9e9;
/// ns, us, µs, ms, s, min, h; not negative, at most kLongestDuration.
Parsed<Duration> parse_duration(std::string_view text);
/// B, kB, MB, GB (powers of 1000), KiB, MiB, GiB (powers of 1024); whole bytes.
Parsed<std::uint64_t> parse_size(std::string_view text);
/// bit/s, kbit/s, Mbit/s, Gbit/s, B/s, kB/s, MB/s, GB/s; in bits per second, above 0.
Parsed<double> parse_rate(std::string_view text);
/// "80%" as 0.8; above 0, at most 100 %.
Parsed<double> parse_share(std::string_view text);

inline constexpr std::string_view kDurationUnits = "ns, us, ms, s, min, h, e.g. \"50 ms\"";
inline constexpr std::string_view kSizeUnits = "B, kB, MB, GB, KiB, MiB, GiB, e.g. \"1 MB\"";
inline constexpr std::string_view kRateUnits =
    "bit/s, kbit/s, Mbit/s, Gbit/s, B/s, kB/s, MB/s, GB/s, e.g. \"10 Mbit/s\"";

/// Exact: parsing it gives the same value back.
std::string format_duration(Duration duration);
std::string format_size(std::uint64_t bytes);
std::string format_rate(double bits_per_second);

/// Four significant digits and a suitable unit ("1.234 s", "56.7 MB").
std::string pretty_seconds(double seconds);
std::string pretty_bytes(double bytes);
/// Integers up to 1e9 in full, else five significant digits, or all digits before the point.
std::string pretty_number(double value);

}  // namespace posse
