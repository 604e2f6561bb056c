// SPDX-License-Identifier: Apache-2.0
// A picture's title and subtitle, in lines above what it shows.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "program/plot/svg.hpp"

namespace posse {

class Headings {
 public:
  /// Wrapped to the picture's width; none if the style has no title.
  Headings(std::string_view title, std::string_view subtitle, const PictureStyle& style);
  /// Where the picture's content may begin, in pixels from its upper edge.
  double bottom() const;
  void draw(Svg& svg) const;

 private:
  double em(double of_twelve) const { return of_twelve * font_size_ / 12; }

  double font_size_;
  std::vector<std::string> title_, subtitle_;
};

}  // namespace posse
