// SPDX-License-Identifier: Apache-2.0
#include "program/plot/picture_style.hpp"

#include <fmt/format.h>

#include <array>
#include <stdexcept>
#include <utility>

#include "core/base/csv.hpp"

namespace posse {

double parse_length(const std::string& text, std::string_view unit, double least, double most) {
  constexpr std::array<std::pair<std::string_view, double>, 5> kUnits{
      {{"in", 96}, {"cm", 96 / 2.54}, {"mm", 96 / 25.4}, {"pt", 96.0 / 72}, {"px", 1}}};
  std::string_view number = text, given = unit;
  for (const auto& [name, pixels] : kUnits)
    if (number.ends_with(name)) {
      given = name;
      number.remove_suffix(name.size());
      break;
    }
  while (number.ends_with(' ')) number.remove_suffix(1);
  const auto value = parse_number<double>(number);
  for (const auto& [name, pixels] : kUnits)
    if (value && name == given) {
      const double length = *value * pixels;
      if (length >= least && length <= most) return length;
      throw std::invalid_argument(fmt::format("the length '{}' is not from {:.3g} to {:.3g} {}",
                                              text,
                                              least / pixels,
                                              most / pixels,
                                              name));
    }
  throw std::invalid_argument(
      fmt::format("'{}' is not a length: a number with in, cm, mm, pt or px, e.g. 3.3in", text));
}

PictureStyle picture_style(const std::string& width, const std::string& font_size, bool title) {
  PictureStyle style;
  style.title = title;
  if (!width.empty()) style.width = parse_length(width, "", 100, 10000);
  if (!font_size.empty()) style.font_size = parse_length(font_size, "pt", 4, 100);
  if (style.width < 15 * style.font_size)
    throw std::invalid_argument(
        fmt::format("a width of {:.3g} px is less than 15 letters of {:.3g} px: take a larger "
                    "--width or a smaller --font-size",
                    style.width,
                    style.font_size));
  return style;
}

}  // namespace posse
