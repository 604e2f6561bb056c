// SPDX-License-Identifier: Apache-2.0
#include "program/plot/legend.hpp"

#include <algorithm>
#include <utility>

#include "program/plot/marker.hpp"

namespace posse {
namespace {

// At a font size of 12.
constexpr double kSample = 30, kSampleGap = 8, kColumnGap = 18;
constexpr double kMostText = 170;  // beside the data

}  // namespace

Legend::Legend(std::vector<LegendEntry> entries, double font_size, double most_text)
    : font_size_(font_size) {
  for (auto& entry : entries) {
    auto lines = text_lines(entry.text, font_size, most_text);
    for (const auto& line : lines) text_width_ = std::max(text_width_, text_width(line, font_size));
    entries_.push_back({std::move(entry), std::move(lines)});
  }
}

Legend Legend::beside(std::vector<LegendEntry> entries, double font_size) {
  return {std::move(entries), font_size, kMostText * font_size / 12};
}

Legend Legend::below(std::vector<LegendEntry> entries, double font_size, double width) {
  const double besides = (kSample + kSampleGap) * font_size / 12;
  Legend legend(std::move(entries), font_size, width - besides);
  const double column = besides + legend.text_width_ + kColumnGap * font_size / 12;
  legend.columns_ = std::max<std::size_t>(
      1, static_cast<std::size_t>((width + kColumnGap * font_size / 12) / column));
  return legend;
}

double Legend::width() const {
  const auto columns = static_cast<double>(columns_);
  return columns * (em(kSample + kSampleGap) + text_width_) + (columns - 1) * em(kColumnGap);
}

double Legend::height() const {
  std::size_t rows = 0, most = 0;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (i % columns_ == 0) rows += std::exchange(most, 0);
    most = std::max(most, entries_[i].lines.size());
  }
  return static_cast<double>(rows + most) * em(kLineHeight);
}

void Legend::draw(Svg& svg, double x, double y) const {
  const double column = em(kSample + kSampleGap + kColumnGap) + text_width_;
  double top = y;
  std::size_t most = 0;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const auto& [entry, lines] = entries_[i];
    if (i % columns_ == 0) top += static_cast<double>(std::exchange(most, 0)) * em(kLineHeight);
    const double left = x + static_cast<double>(i % columns_) * column;
    double base = top + em(10);
    draw_sample(svg, entry, left, base - em(4));
    for (const auto& line : lines) {
      svg.text("text",
               {{"x", svg_number(left + em(kSample + kSampleGap))},
                {"y", svg_number(base)},
                {"text-anchor", "start"},
                {"fill", std::string(entry.faint ? kFaint : kInk)}},
               line);
      base += em(kLineHeight);
    }
    most = std::max(most, lines.size());
  }
}

void Legend::draw_sample(Svg& svg, const LegendEntry& entry, double x, double y) const {
  using Sample = LegendEntry::Sample;
  if (entry.sample == Sample::none) return;
  if (entry.sample == Sample::area) {
    svg.empty("rect",
              {{"x", svg_number(x)},
               {"y", svg_number(y - em(6))},
               {"width", svg_number(em(kSample))},
               {"height", svg_number(em(12))},
               {"fill", std::string(kFaint)},
               {"fill-opacity", "0.18"}});
    return;
  }
  const bool grey = entry.sample == Sample::grey_line || entry.sample == Sample::grey_dashes;
  if (entry.sample == Sample::grey_marker)
    return draw_marker(svg, entry.style, std::string(kFaint), x + em(kSample) / 2, y, em(5));
  if (entry.sample != Sample::marker) {
    Svg::Attributes attributes{{"x1", svg_number(x)},
                               {"y1", svg_number(y)},
                               {"x2", svg_number(x + em(kSample))},
                               {"y2", svg_number(y)},
                               {"stroke", grey ? std::string(kGuide) : series_colour(entry.style)},
                               {"stroke-width",
                                svg_number(em(grey                             ? 1
                                              : entry.sample == Sample::dashes ? 1.4
                                                                               : 1.8))}};
    if (entry.sample == Sample::grey_dashes || entry.sample == Sample::dashes)
      attributes.emplace_back("stroke-dasharray", "6 4");
    svg.empty("line", attributes);
  }
  if (entry.sample == Sample::line || entry.sample == Sample::marker)
    draw_marker(svg,
                marker_of(entry.style),
                series_colour(entry.style),
                x + em(kSample) / 2,
                y,
                em(entry.sample == Sample::marker ? 5 : 3.6));
}

}  // namespace posse
