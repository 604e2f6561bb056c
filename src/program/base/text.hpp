// SPDX-License-Identifier: Apache-2.0
// Text layout for terminals.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "program/base/statistics.hpp"

namespace posse {

/// Characters, not bytes; without the escape sequences of colours.
std::size_t width(std::string_view text);
std::string padded(const std::string& text, std::size_t columns);
std::string without_trailing_spaces(const std::string& line);
/// With a large first letter, if that is an ASCII letter.
std::string capitalized(std::string text);
/// 16 digits, as of fingerprints.
std::string hexadecimal(std::uint64_t x);
/// "1 run", "2 runs".
std::string count_text(std::size_t n, std::string_view one, std::string_view many);
/// Words wrapped at text_columns(); every line is indented and ends with a line break.
std::string wrapped(std::string_view text, std::string_view indent);

/// The text beside `left`, from `column` on; a long `left` has a line of its own.
std::string hanging(const std::string& left, std::string_view text, std::size_t column);
/// "warning: " and the sentence, wrapped.
std::string warning_text(std::string_view sentence);

/// Columns as wide as their widest cell, two spaces apart and indented, if there is room. A table
/// wider than text_columns() is printed in parts, each with the first column; notes, in a last
/// column without a heading, are wrapped.
class TextTable {
 public:
  explicit TextTable(std::vector<std::string> header) { lines_.push_back(std::move(header)); }
  /// As many cells as the header.
  void add(std::vector<std::string> cells) { lines_.push_back(std::move(cells)); }
  std::string text() const;
  /// The header, then the rows.
  const std::vector<std::vector<std::string>>& lines() const { return lines_; }

 private:
  std::vector<std::vector<std::string>> lines_;
};

/// A value with its unit: pretty_seconds, pretty_bytes, else a number.
std::string pretty(double value, std::string_view unit);
/// "3.1 (0.12)": few runs determine a standard deviation to two digits at most. `word` stands
/// before it, where no heading says what it is.
std::string mean_and_sd(const Statistics& s, std::string_view unit, std::string_view word = "");
/// The legend of mean_and_interval in tables.
inline constexpr std::string_view kIntervalLegend = "±: half of the mean's 95 % interval";
/// "203 ± 4.1": the mean and half its 95 % interval; without it all values are the same, or there
/// is one.
std::string mean_and_interval(const Statistics& s, std::string_view unit);
/// "a; b; c; 4 more"
std::string some_of(std::vector<std::string> texts);
/// The parts of "a,b, c", without the spaces around them.
std::vector<std::string> comma_separated(std::string_view list);
/// Rounded to this number of significant digits.
double rounded(double value, int digits);
/// Rounded to the place of the last of `digits` significant digits of `scale`, for numbers with an
/// uncertainty; at most 12 significant digits of its own.
double rounded_to(double value, double scale, int digits);
/// The parts of "9994 (9993.8 to 9994.2)", rounded by the half width.
struct ShownInterval {
  std::string mean, low, high;
};
ShownInterval shown_interval(double mean, const Interval& interval, std::string_view unit);

}  // namespace posse
