// SPDX-License-Identifier: Apache-2.0
// Where the parts of a chart lie, in pixels.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "program/plot/axis.hpp"
#include "program/plot/chart.hpp"
#include "program/plot/headings.hpp"
#include "program/plot/legend.hpp"

namespace posse {

/// Drawn from the data, or for comparison with it: grey, without markers.
bool is_grey(const Series& series);

class ChartLayout {
 public:
  ChartLayout(const Chart& chart, const PictureStyle& style);

  /// A length at a font size of 12 in this picture.
  double em(double of_twelve) const { return of_twelve * style_.font_size / 12; }
  double width() const { return style_.width; }
  double height() const { return height_; }
  double font_size() const { return style_.font_size; }
  double label_size() const;  // of axes

  // The data's area.
  double left() const { return left_; }
  double right() const { return right_; }
  double top() const { return top_; }
  double bottom() const { return bottom_; }

  const Axis& x() const { return x_; }
  const Axis& y() const { return y_; }
  double x_at(double value) const;
  double y_at(double value) const;
  double tick_x(const Tick& tick) const {
    return left_ + (right_ - left_) * x_.position(tick.value);
  }
  double tick_y(const Tick& tick) const {
    return bottom_ - (bottom_ - top_) * y_.position(tick.value);
  }
  /// The least value that a logarithmic x axis shows.
  double least_x() const { return x_.low() * x_prefix_.factor; }
  /// False if the reference would squeeze the data; then it is only named.
  bool shown(const Reference& reference) const;

  // Texts, in lines.
  const Headings& headings() const { return headings_; }
  const std::vector<std::string>& x_label() const { return x_label_; }
  const std::vector<std::string>& y_label() const { return y_label_; }
  /// A name has its share of the axis, a number is written in one line.
  std::vector<std::string> lines_of(const Tick& tick) const;
  /// The most lines of a tick of the x axis.
  std::size_t most_tick_lines() const;
  /// The ticks whose labels do not run into one another, those at powers of ten first.
  std::vector<const Tick*> labelled_x() const;
  std::vector<const Tick*> labelled_y() const;

  const Legend& legend() const { return legend_; }
  double legend_x() const { return legend_x_; }
  double legend_y() const { return legend_y_; }

 private:
  struct Range {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    void include(double value);
    bool empty() const { return low > high; }
  };
  static Range range_of(const Chart& chart, bool of_x);
  template <class RangeOf>
  static std::vector<const Tick*> apart(const Axis& axis, const RangeOf& range_of);

  bool is_narrow() const;
  bool is_scattered() const;
  void make_axes();
  Axis axis(const AxisSpec& spec,
            const Range& range,
            const UnitPrefix& prefix,
            Ends ends,
            bool of_x) const;
  std::vector<const Series*> legend_order() const;
  std::vector<LegendEntry> legend_entries() const;
  void lay_out();
  double below() const;

  const Chart& chart_;
  PictureStyle style_;
  Headings headings_;
  Legend legend_;
  Axis x_, y_;
  UnitPrefix x_prefix_, y_prefix_;
  double y_limit_ = 0;  // references above it are only named
  double legend_x_ = 0, legend_y_ = 0, height_ = 0;
  double left_ = 0, right_ = 0, top_ = 0, bottom_ = 0;
  std::vector<std::string> x_label_, y_label_;
};

}  // namespace posse
