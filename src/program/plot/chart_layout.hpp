// SPDX-License-Identifier: Apache-2.0
// Where the parts of a chart lie, in pixels.
#pragma once

#include <functional>
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

/// The place of a chart that is one of several in a picture. Its axes show what these have.
struct PanelFrame {
  const Chart& for_x;  // the series of all panels with this axis
  const Chart& for_y;
  double left = 0, right = 0, top = 0, bottom = 0;  // of the data's area
  bool x_ticks = true, y_ticks = true;              // with their labels
};

/// A chart without headings, labels of its axes, and legend.
void draw_panel(Svg& svg, const Chart& chart, const PictureStyle& style, const PanelFrame& frame);

/// What a legend says of the chart; `shown`: whether the data leave room for the reference.
std::vector<LegendEntry> legend_entries(const Chart& chart,
                                        const std::function<bool(const Reference&)>& shown);

class ChartLayout {
 public:
  ChartLayout(const Chart& chart, const PictureStyle& style);
  ChartLayout(const Chart& chart, const PictureStyle& style, const PanelFrame& frame);

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

  /// The label of an axis with its unit.
  std::string x_name() const;
  std::string y_name() const;
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
  void make_axes(const Chart& for_x, const Chart& for_y);
  Axis axis(
      const Chart& of, const Range& range, const UnitPrefix& prefix, Ends ends, bool of_x) const;
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
