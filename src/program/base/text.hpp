// Laying text out for a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "program/base/statistics.hpp"

namespace posse {

inline constexpr std::size_t kColumns = 100;  // what tables for people keep to

/// What others wrote, safe to print: control characters but line breaks and tabs as \x1b.
std::string printable(std::string_view text);
/// Characters, not bytes.
std::size_t width(std::string_view text);
std::string padded(std::string text, std::size_t columns);
std::string without_trailing_spaces(const std::string& line);
/// Words wrapped at kColumns, every line indented and ended.
std::string wrapped(std::string_view text, std::string_view indent);

/// A value and its unit for people: pretty_seconds, pretty_bytes, else a number.
std::string pretty(double value, std::string_view unit);
/// "3.1 ± 0.12": two digits of a standard deviation are all that a handful of runs can tell.
std::string mean_and_sd(const Statistics& s, std::string_view unit);
/// Rounded to so many significant digits.
double rounded(double value, int digits);
/// Rounded to the place of so many significant digits of `scale`, but never to more than 12 of its
/// own: a number with an uncertainty, an interval's end with its half width.
double rounded_to(double value, double scale, int digits);
/// "9994 (9993.8 to 9994.2)" takes these: the mean and the ends, as digits of the half width.
struct ShownInterval {
  std::string mean, low, high;
};
ShownInterval shown_interval(double mean, const Interval& interval, std::string_view unit);

}  // namespace posse
