// SPDX-License-Identifier: Apache-2.0
#include "program/plot/headings.hpp"

namespace posse {
namespace {

constexpr double kTitleLine = kTitleSize + 3;  // from one line of the title to the next

}  // namespace

Headings::Headings(std::string_view title, std::string_view subtitle, const PictureStyle& style)
    : font_size_(style.font_size) {
  if (!style.title) return;
  const double within = style.width - 2 * em(kEdge);
  title_ = text_lines(title, 1.15 * em(kTitleSize), within);  // bold letters are wider
  subtitle_ = text_lines(subtitle, font_size_, within);
}

double Headings::bottom() const {
  if (title_.empty()) return em(kEdge);
  return em(kEdge + kTitleLine * static_cast<double>(title_.size()) +
            kLineHeight * static_cast<double>(subtitle_.size()) + 11);
}

void Headings::draw(Svg& svg) const {
  double y = kEdge - 5;
  const auto lines = [&](const auto& texts,
                         double pitch,
                         double size,
                         std::string_view colour,
                         const char* weight) {
    for (const auto& text : texts)
      svg.text("text",
               {{"x", svg_number(em(kEdge))},
                {"y", svg_number(em(y += pitch))},
                {"font-size", svg_number(em(size))},
                {"font-weight", weight},
                {"fill", std::string(colour)}},
               text);
  };
  lines(title_, kTitleLine, kTitleSize, kInk, "bold");
  y += 1;
  lines(subtitle_, kLineHeight, 12, kFaint, "normal");
}

}  // namespace posse
