// SPDX-License-Identifier: Apache-2.0
// A legend: samples with texts, in a column beside the data or in columns below it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "program/plot/svg.hpp"

namespace posse {

struct LegendEntry {
  /// A grey line is drawn from the data or for comparison; dashes are a level. A plain line has no
  /// marker, and a grey marker is one of several colours.
  enum class Sample {
    line,
    plain_line,
    marker,
    grey_marker,
    grey_line,
    grey_dashes,
    dashes,
    area,
    none
  };
  Sample sample = Sample::line;
  std::size_t style = 0;  // colour and marker; of a grey marker its form
  std::string text;
  bool faint = false;
};

class Legend {
 public:
  static Legend beside(std::vector<LegendEntry> entries, double font_size);
  /// `width`: what is there for it.
  static Legend below(std::vector<LegendEntry> entries, double font_size, double width);

  double width() const;
  double height() const;
  /// From the upper left corner.
  void draw(Svg& svg, double x, double y) const;

 private:
  struct Row {
    LegendEntry entry;
    std::vector<std::string> lines;
  };
  Legend(std::vector<LegendEntry> entries, double font_size, double most_text);
  double em(double of_twelve) const { return of_twelve * font_size_ / 12; }
  void draw_sample(Svg& svg, const LegendEntry& entry, double x, double y) const;

  double font_size_;
  std::vector<Row> entries_;
  double text_width_ = 0;    // of the widest line
  std::size_t columns_ = 1;  // filled row by row
};

}  // namespace posse
