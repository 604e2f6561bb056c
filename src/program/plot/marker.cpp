// SPDX-License-Identifier: Apache-2.0
#include "program/plot/marker.hpp"

#include <fmt/format.h>

#include <initializer_list>
#include <utility>

namespace posse {

std::string series_colour(std::size_t style) {
  return std::string(kSeriesColours[style % kSeriesColours.size()]);
}

std::size_t marker_of(std::size_t style) {
  // Styles beyond the colours repeat them with other markers.
  return (style + style / kSeriesColours.size()) % kSeriesColours.size();
}

void draw_marker(
    Svg& svg, std::size_t marker, const std::string& fill, double x, double y, double r) {
  const auto polygon = [&](std::initializer_list<std::pair<double, double>> points) {
    std::string text;
    for (const auto& [dx, dy] : points)
      text += fmt::format(
          "{}{},{}", text.empty() ? "" : " ", svg_number(x + dx * r), svg_number(y + dy * r));
    svg.empty("polygon", {{"points", text}, {"fill", fill}, {"stroke", std::string(kGround)}});
  };
  switch (marker % kSeriesColours.size()) {
    case 0:
      svg.empty("circle",
                {{"cx", svg_number(x)},
                 {"cy", svg_number(y)},
                 {"r", svg_number(r)},
                 {"fill", fill},
                 {"stroke", std::string(kGround)}});
      return;
    case 1:
      return polygon({{-0.9, -0.9}, {0.9, -0.9}, {0.9, 0.9}, {-0.9, 0.9}});
    case 2:
      return polygon({{0, -1.15}, {1.1, 0.8}, {-1.1, 0.8}});
    case 3:
      return polygon({{0, -1.25}, {1.25, 0}, {0, 1.25}, {-1.25, 0}});
    case 4:
      return polygon({{0, 1.15}, {1.1, -0.8}, {-1.1, -0.8}});
    case 5:
      return polygon({{-1.25, -0.45},
                      {-0.45, -0.45},
                      {-0.45, -1.25},
                      {0.45, -1.25},
                      {0.45, -0.45},
                      {1.25, -0.45},
                      {1.25, 0.45},
                      {0.45, 0.45},
                      {0.45, 1.25},
                      {-0.45, 1.25},
                      {-0.45, 0.45},
                      {-1.25, 0.45}});
    default:
      return polygon(
          {{-0.55, -1.15}, {0.55, -1.15}, {1.15, 0}, {0.55, 1.15}, {-0.55, 1.15}, {-1.15, 0}});
  }
}

}  // namespace posse
