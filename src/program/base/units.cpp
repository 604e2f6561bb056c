// SPDX-License-Identifier: Apache-2.0
#include "program/base/units.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <utility>

namespace posse {
namespace {

using Unit = std::pair<std::string_view, double>;

constexpr std::array<Unit, 8> kDurations{{{"h", 3600e9},
                                          {"min", 60e9},
                                          {"s", 1e9},
                                          {"ms", 1e6},
                                          {"us", 1e3},
                                          {"\xC2\xB5s", 1e3},  // micro sign
                                          {"\xCE\xBCs", 1e3},  // Greek mu
                                          {"ns", 1}}};
constexpr std::array<Unit, 7> kSizes{{{"GB", 1e9},
                                      {"GiB", 1073741824.0},
                                      {"MiB", 1048576.0},
                                      {"MB", 1e6},
                                      {"KiB", 1024},
                                      {"kB", 1e3},
                                      {"B", 1}}};
constexpr std::array<Unit, 8> kRates{{{"Gbit/s", 1e9},
                                      {"Mbit/s", 1e6},
                                      {"kbit/s", 1e3},
                                      {"bit/s", 1},
                                      {"GB/s", 8e9},
                                      {"MB/s", 8e6},
                                      {"kB/s", 8e3},
                                      {"B/s", 8}}};

std::string_view trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

template <std::size_t N>
Parsed<double> parse(std::string_view text, const std::array<Unit, N>& units) {
  text = trim(text);
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || !std::isfinite(number))
    return {std::nullopt, "is not a number and a unit"};
  const std::string_view unit = trim(text.substr(static_cast<std::size_t>(end - text.data())));
  if (unit.empty()) return {std::nullopt, "has no unit"};
  for (const auto& [name, factor] : units)
    if (unit == name) return {number * factor, ""};
  return {std::nullopt, fmt::format("has the unknown unit '{}'", unit)};
}

/// A whole number of a unit, exactly: a double holds each nanosecond of the first 104 days only.
std::optional<Duration> whole_duration(std::string_view text) {
  text = trim(text);
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{}) return std::nullopt;
  const std::string_view unit = trim(text.substr(static_cast<std::size_t>(end - text.data())));
  for (const auto& [name, factor] : kDurations) {
    std::int64_t ns = 0;
    if (unit == name && !__builtin_mul_overflow(number, static_cast<std::int64_t>(factor), &ns))
      return Duration{ns};
  }
  return std::nullopt;
}

template <std::size_t N>
std::string format(double value, const std::array<Unit, N>& units) {
  for (const auto& [name, factor] : units)
    if (value >= factor && std::fmod(value, factor) == 0)
      return fmt::format("{:.0f} {}", value / factor, name);
  return fmt::format("{} {}", value / units.back().second, units.back().first);
}

}  // namespace

Parsed<Duration> parse_duration(std::string_view text) {
  const auto parsed = parse(text, kDurations);
  if (!parsed.value) return {std::nullopt, parsed.problem};
  if (*parsed.value < 0) return {std::nullopt, "is negative"};
  if (*parsed.value > 1e9 * kLongestDuration) return {std::nullopt, "is longer than 285 years"};
  if (const auto whole = whole_duration(text)) return {*whole, ""};
  constexpr double kMostRounded = 1e-3;  // of the duration
  const auto rounded = std::llround(*parsed.value);
  if (std::abs(static_cast<double>(rounded) - *parsed.value) > kMostRounded * *parsed.value)
    return {std::nullopt, "is no whole number of nanoseconds, in which virtual time is counted"};
  return {Duration::nanoseconds(rounded), ""};
}

Parsed<std::uint64_t> parse_size(std::string_view text) {
  const auto parsed = parse(text, kSizes);
  if (!parsed.value) return {std::nullopt, parsed.problem};
  if (*parsed.value < 0) return {std::nullopt, "is negative"};
  if (*parsed.value > 9e15) return {std::nullopt, "is too large"};
  if (std::floor(*parsed.value) != *parsed.value)
    return {std::nullopt, "is not a whole number of bytes"};
  return {static_cast<std::uint64_t>(*parsed.value), ""};
}

Parsed<double> parse_rate(std::string_view text) {
  auto parsed = parse(text, kRates);
  if (parsed.value && !(*parsed.value > 0)) return {std::nullopt, "is not above 0"};
  if (parsed.value && std::isinf(*parsed.value)) return {std::nullopt, "is too large"};
  return parsed;
}

Parsed<double> parse_share(std::string_view text) {
  constexpr std::array<Unit, 1> kPercent{{{"%", 0.01}}};
  auto parsed = parse(text, kPercent);
  if (parsed.value && !(*parsed.value > 0 && *parsed.value <= 1))
    return {std::nullopt, "is not above 0 % and at most 100 %"};
  return parsed;
}

std::string format_duration(Duration duration) {
  if (duration.ns == 0) return "0 s";
  constexpr std::array<std::pair<std::string_view, std::int64_t>, 4> kUnits{
      {{"s", 1000000000}, {"ms", 1000000}, {"us", 1000}, {"ns", 1}}};
  for (const auto& [name, factor] : kUnits)
    if (duration.ns % factor == 0) return fmt::format("{} {}", duration.ns / factor, name);
  return fmt::format("{} ns", duration.ns);
}

std::string format_size(std::uint64_t bytes) { return format(static_cast<double>(bytes), kSizes); }

std::string format_rate(double bits_per_second) {
  constexpr std::array<Unit, 4> kBits{
      {{"Gbit/s", 1e9}, {"Mbit/s", 1e6}, {"kbit/s", 1e3}, {"bit/s", 1}}};
  return format(bits_per_second, kBits);
}

std::string pretty_number(double value) {
  const bool large = std::abs(value) >= 1e5;  // five digits would need an exponent
  if ((large || std::floor(value) == value) && std::abs(value) < 1e9)
    return fmt::format("{:.0f}", value);
  return fmt::format("{:.5g}", value);
}

std::string pretty_seconds(double seconds) {
  if (seconds == 0 || std::abs(seconds) >= 1) return fmt::format("{:.4g} s", seconds);
  if (std::abs(seconds) >= 1e-3) return fmt::format("{:.4g} ms", seconds * 1e3);
  if (std::abs(seconds) >= 1e-6) return fmt::format("{:.4g} us", seconds * 1e6);
  return fmt::format("{:.4g} ns", seconds * 1e9);
}

std::string pretty_bytes(double bytes) {
  if (std::abs(bytes) < 1e3) return fmt::format("{:.4g} B", bytes);
  if (std::abs(bytes) < 1e6) return fmt::format("{:.4g} kB", bytes / 1e3);
  if (std::abs(bytes) < 1e9) return fmt::format("{:.4g} MB", bytes / 1e6);
  return fmt::format("{:.4g} GB", bytes / 1e9);
}

}  // namespace posse
