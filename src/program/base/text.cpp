// SPDX-License-Identifier: Apache-2.0
#include "program/base/text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/math.hpp"
#include "program/base/terminal.hpp"
#include "program/base/units.hpp"

namespace posse {

/// Every UTF-8 byte but continuation bytes begins a character. An escape sequence ends with 'm'.
std::size_t width(std::string_view text) {
  std::size_t characters = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\033')
      i = std::min(text.find('m', i), text.size());
    else
      characters += (static_cast<unsigned char>(text[i]) & 0xC0) != 0x80;
  }
  return characters;
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

namespace {

/// Where the word at `at` ends; a number keeps its unit.
std::size_t end_of_word(std::string_view text, std::size_t at) {
  const auto end = std::min(text.find(' ', at), text.size());
  if (end == text.size() || end == at || text[end - 1] < '0' || text[end - 1] > '9') return end;
  const auto next = std::min(text.find_first_of(" ,;:.)", end + 1), text.size());
  for (const std::string_view unit :
       {"%", "ns", "us", "ms", "s", "min", "h", "d", "B", "kB", "MB", "GB", "TB"})
    if (text.substr(end + 1, next - end - 1) == unit)
      return std::min(text.find(' ', next), text.size());
  return end;
}

}  // namespace

std::string wrapped(std::string_view text, std::string_view indent) {
  std::string out, current;
  std::size_t at = 0;
  while (at < text.size()) {
    const auto end = end_of_word(text, at);
    const std::string_view word = text.substr(at, end - at);
    at = end + 1;
    if (!current.empty() && width(indent) + width(current) + 1 + width(word) > text_columns()) {
      out += fmt::format("{}{}\n", indent, current);
      current.clear();
    }
    current += fmt::format("{}{}", current.empty() ? "" : " ", word);
  }
  return current.empty() ? out : out + fmt::format("{}{}\n", indent, current);
}

std::string hanging(const std::string& left, std::string_view text, std::size_t column) {
  const auto lines = wrapped(text, std::string(column, ' '));
  if (lines.empty()) return left + "\n";
  return width(left) <= column ? padded(left, column) + lines.substr(column) : left + "\n" + lines;
}

std::string warning_text(std::string_view sentence) {
  return wrapped(fmt::format("{} {}", toned(Tone::uncertain, "warning:"), sentence), "");
}

namespace {

constexpr std::size_t kColumnsOfNotes = 24;

/// The cell with its verdict in colour.
std::string toned_cell(const std::string& cell) {
  for (const std::string_view bad : {"violated", "not equal", "exceeded", "failed"})
    if (cell.find(bad) != std::string::npos) return toned(Tone::bad, cell);
  if (cell == "✓" || cell == "held") return toned(Tone::good, cell);
  if (cell.starts_with("does not apply") || cell.starts_with("(≤") || cell.starts_with("(≥"))
    return toned(Tone::faint, cell);
  if (cell.ends_with(" ?")) return cell.substr(0, cell.size() - 1) + toned(Tone::uncertain, "?");
  return cell.starts_with("undecided") ? toned(Tone::uncertain, cell) : cell;
}

}  // namespace

std::string TextTable::text() const {
  const std::size_t count = lines_.front().size();
  std::vector<std::size_t> widths(count);
  for (const auto& line : lines_)
    for (std::size_t i = 0; i < count; ++i) widths[i] = std::max(widths[i], width(line[i]));
  // A last column without a heading has notes, which are wrapped in their place.
  const bool has_notes = count > 2 && lines_.front().back().empty();
  if (has_notes) widths.back() = std::min(widths.back(), kColumnsOfNotes);
  const std::size_t all = std::accumulate(widths.begin(), widths.end(), 2 * (count - 1));
  const std::string indent = all <= text_columns() && all + 2 > text_columns() ? "" : "  ";
  std::string text;
  std::size_t begin = 1;
  do {
    std::size_t end = begin, used = indent.size() + widths[0];
    while (end < count && (end == begin || used + 2 + widths[end] <= text_columns()))
      used += 2 + widths[end++];
    if (begin > 1) text += "\n";
    for (const auto& line : lines_) {
      std::string row = indent + padded(toned_cell(line[0]), widths[0]);
      for (std::size_t i = begin; i < end; ++i) {
        const std::string left = row + "  ";
        row = has_notes && i + 1 == count ? hanging(left, line[i], width(left))
                                          : left + padded(toned_cell(line[i]), widths[i]);
      }
      if (row.ends_with('\n')) row.pop_back();
      text += without_trailing_spaces(row) + "\n";
    }
    begin = end;
  } while (begin < count);
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

std::string some_of(std::vector<std::string> texts) {
  constexpr std::size_t kMostNamed = 3;
  const auto count = texts.size();
  if (count > kMostNamed) {
    texts.resize(kMostNamed);
    texts.push_back(fmt::format("{} more", count - kMostNamed));
  }
  return fmt::format("{}", fmt::join(texts, "; "));
}

std::vector<std::string> comma_separated(std::string_view list) {
  std::vector<std::string> parts;
  for (;;) {
    const auto comma = list.find(',');
    auto part = list.substr(0, comma);
    while (part.starts_with(' ')) part.remove_prefix(1);
    while (part.ends_with(' ')) part.remove_suffix(1);
    parts.emplace_back(part);
    if (comma == list.npos) return parts;
    list.remove_prefix(comma + 1);
  }
}

double rounded(double value, int digits) {
  if (value == 0 || !std::isfinite(value)) return value;
  const double scale = math::pow(10.0, digits - 1 - std::floor(math::log10(std::abs(value))));
  return std::round(value * scale) / scale;
}

}  // namespace posse
