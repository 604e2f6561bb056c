// SPDX-License-Identifier: Apache-2.0
#include "program/base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/math.hpp"
#include "program/base/units.hpp"

namespace posse {

/// Every UTF-8 byte but continuation bytes begins a character.
std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

std::string padded(const std::string& text, std::size_t columns) {
  const std::size_t w = width(text);
  return w < columns ? text + std::string(columns - w, ' ') : text;
}

std::string without_trailing_spaces(const std::string& line) {
  return line.substr(0, line.find_last_not_of(' ') + 1);
}

std::string capitalized(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z')
    text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

std::string hexadecimal(std::uint64_t x) { return fmt::format("{:016x}", x); }

std::string count_text(std::size_t n, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", n, n == 1 ? one : many);
}

std::string wrapped(std::string_view text, std::string_view indent) {
  std::string out, current;
  std::size_t at = 0;
  while (at < text.size()) {
    const auto end = std::min(text.find(' ', at), text.size());
    const std::string_view word = text.substr(at, end - at);
    at = end + 1;
    if (!current.empty() && width(indent) + width(current) + 1 + width(word) > kColumns) {
      out += fmt::format("{}{}\n", indent, current);
      current.clear();
    }
    current += fmt::format("{}{}", current.empty() ? "" : " ", word);
  }
  return current.empty() ? out : out + fmt::format("{}{}\n", indent, current);
}

std::string TextTable::text() const {
  std::vector<std::size_t> widths(lines_.front().size());
  for (const auto& line : lines_)
    for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], width(line[i]));
  std::string text;
  for (const auto& line : lines_) {
    std::string row = " ";
    for (std::size_t i = 0; i < line.size(); ++i) row += " " + padded(line[i], widths[i]) + " ";
    text += without_trailing_spaces(row) + "\n";
  }
  return text;
}

std::string pretty(double value, std::string_view unit) {
  if (!std::isfinite(value)) return fmt::format("{}", value);
  if (unit == "s") return pretty_seconds(value);
  if (unit == "bytes" || unit == "B") return pretty_bytes(value);
  return unit.empty() ? pretty_number(value) : fmt::format("{} {}", pretty_number(value), unit);
}

std::string mean_and_sd(const Statistics& s, std::string_view unit, std::string_view word) {
  auto text = pretty(s.mean, unit);
  if (s.n > 1 && s.sd > 0) text += fmt::format(" ({}{})", word, pretty(rounded(s.sd, 2), unit));
  return text;
}

std::string mean_and_interval(const Statistics& s, std::string_view unit) {
  const double half = half_width(s, Band::interval);
  if (!(half > 0) || !std::isfinite(half)) return pretty(s.mean, unit);
  return fmt::format(
      "{} ± {}", pretty(rounded_to(s.mean, half, 2), unit), pretty(rounded(half, 2), unit));
}

double rounded_to(double value, double scale, int digits) {
  if (!(scale > 1e-12 * std::abs(value)) || !std::isfinite(scale)) return value;
  const double place = math::pow(10.0, std::floor(math::log10(scale)) + 1 - digits);
  return std::round(value / place) * place;
}

ShownInterval shown_interval(double mean, const Interval& interval, std::string_view unit) {
  const double half = (interval.high - interval.low) / 2;
  const auto shown = [&](double x) { return pretty(rounded_to(x, half, 2), unit); };
  return {shown(mean), shown(interval.low), shown(interval.high)};
}

double rounded(double value, int digits) {
  if (value == 0 || !std::isfinite(value)) return value;
  const double scale = math::pow(10.0, digits - 1 - std::floor(math::log10(std::abs(value))));
  return std::round(value * scale) / scale;
}

}  // namespace posse
