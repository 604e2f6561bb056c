// SPDX-License-Identifier: Apache-2.0
#include "program/plot/chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "program/plot/chart_layout.hpp"
#include "program/plot/marker.hpp"
#include "program/plot/svg.hpp"

namespace posse {
namespace {

// At a font size of 12.
constexpr double kMarker = 3.6, kPoint = 5;
constexpr std::size_t kMarkers = 7;     // along a line
constexpr std::size_t kAllMarked = 20;  // points of a line that all have one

std::string num(double value) { return svg_number(value); }

/// The corners of a step line; other lines as they are.
std::vector<ChartPoint> corners(const Series& series) {
  if (series.kind != Series::Kind::steps && series.kind != Series::Kind::front)
    return series.points;
  std::vector<ChartPoint> out;
  for (const auto& point : series.points) {
    if (!out.empty()) {
      auto corner = out.back();
      corner.x = point.x;
      out.push_back(corner);
    }
    out.push_back(point);
  }
  return out;
}

class ChartDrawing {
 public:
  ChartDrawing(Svg& svg, const Chart& chart, const ChartLayout& layout, bool in_panel = false)
      : chart_(chart), at_(layout), svg_(svg), in_panel_(in_panel) {}

  void draw() {
    svg_.open_picture(at_.width(), at_.height(), at_.font_size(), chart_.title, description());
    headings();
    content(true, true);
    at_.legend().draw(svg_, at_.legend_x(), at_.legend_y());
    svg_.close();
  }

  /// The data with its axes.
  void content(bool x_ticks, bool y_ticks) {
    svg_.open("defs");
    svg_.open("clipPath", {{"id", chart_.id + "-area"}});
    svg_.empty("rect", box(left(), top(), right() - left(), bottom() - top()));
    svg_.close();
    svg_.close();
    grid();
    svg_.open("g", {{"clip-path", fmt::format("url(#{}-area)", chart_.id)}});
    for (const auto& fault : chart_.faults) fault_band(fault);
    for (const auto& series : chart_.series)
      if (series.background) line(series);
    for (const auto& series : chart_.series) band(series);
    for (const auto& reference : chart_.references)
      if (at_.shown(reference))
        dashes(left(), right(), at_.y_at(reference.y), series_colour(reference.style));
    for (const auto& series : chart_.series)
      if (!series.background) line(series);
    svg_.close();
    for (const auto& series : chart_.series) markers(series);
    frame(x_ticks, y_ticks);
  }

 private:
  static Svg::Attributes box(double x, double y, double width, double height) {
    return {{"x", num(x)}, {"y", num(y)}, {"width", num(width)}, {"height", num(height)}};
  }

  std::string description() const {
    std::string text = fmt::format("{}. {}.", chart_.title, chart_.subtitle);
    for (const auto& series : chart_.series)
      if (!is_grey(series) && !series.points.empty())
        text += fmt::format(
            " {}: {:.5g} at {:.5g}.", series.label, series.points.back().y, series.points.back().x);
    return text;
  }

  void headings() {
    at_.headings().draw(svg_);
    double y = bottom() + em(44) + static_cast<double>(at_.most_tick_lines() - 1) * em(kLineHeight);
    for (const auto& row : at_.x_label()) {
      svg_.text("text",
                {{"x", num((left() + right()) / 2)},
                 {"y", num(y)},
                 {"text-anchor", "middle"},
                 {"font-size", num(at_.label_size())}},
                row);
      y += em(kLineHeight);
    }
    const double middle = (top() + bottom()) / 2;
    double at = em(kEdge) + at_.label_size() - em(3);
    for (const auto& row : at_.y_label()) {
      svg_.text("text",
                {{"x", num(at)},
                 {"y", num(middle)},
                 {"text-anchor", "middle"},
                 {"font-size", num(at_.label_size())},
                 {"transform", fmt::format("rotate(-90 {} {})", num(at), num(middle))}},
                row);
      at += at_.label_size() + em(3);
    }
  }

  void grid() {
    svg_.open("g", {{"stroke", std::string(kGrid)}, {"stroke-width", "1"}});
    for (const auto& tick : at_.x().ticks())
      if (!tick.label.empty()) stroke(at_.tick_x(tick), top(), at_.tick_x(tick), bottom());
    for (const auto& tick : at_.y().ticks())
      if (!tick.label.empty()) stroke(left(), at_.tick_y(tick), right(), at_.tick_y(tick));
    svg_.close();
  }

  void stroke(double x1, double y1, double x2, double y2) {
    svg_.empty("line", {{"x1", num(x1)}, {"y1", num(y1)}, {"x2", num(x2)}, {"y2", num(y2)}});
  }

  void frame(bool x_ticks, bool y_ticks) {
    svg_.open("g", {{"stroke", std::string(kFaint)}, {"stroke-width", "1"}});
    stroke(left(), bottom(), right(), bottom());
    stroke(left(), top(), left(), bottom());
    for (const auto& tick : at_.x().ticks())
      stroke(at_.tick_x(tick),
             bottom(),
             at_.tick_x(tick),
             bottom() + (tick.label.empty() ? em(3) : em(5)));
    for (const auto& tick : at_.y().ticks())
      stroke(left(),
             at_.tick_y(tick),
             left() - (tick.label.empty() ? em(3) : em(5)),
             at_.tick_y(tick));
    svg_.close();
    if (at_.x().has_zero()) axis_break(left() + (right() - left()) * kZeroGap / 2, bottom(), true);
    if (at_.y().has_zero()) axis_break(left(), bottom() - (bottom() - top()) * kZeroGap / 2, false);
    for (const auto* tick : at_.labelled_x()) {
      if (!x_ticks) break;
      double y = bottom() + em(19);
      for (const auto& line : at_.lines_of(*tick)) {
        label(*tick, line, at_.tick_x(*tick), y, anchor_of(*tick, line));
        y += em(kLineHeight);
      }
    }
    for (const auto* tick : at_.labelled_y()) {
      if (!y_ticks) break;
      label(*tick, tick->label, left() - em(8), at_.tick_y(*tick) + em(4), "end");
    }
  }

  /// At the edge of a panel that has others beside it, labels stay within it.
  std::string_view anchor_of(const Tick& tick, const std::string& text) const {
    const double half = text_width(text, at_.font_size()) / 2, x = at_.tick_x(tick);
    if (!in_panel_) return "middle";
    return x + half > right() + em(4) ? "end" : x - half < left() - em(4) ? "start" : "middle";
  }

  /// Two slanted strokes: the axis is not to scale here.
  void axis_break(double x, double y, bool horizontal) {
    svg_.open("g", {{"stroke", std::string(kFaint)}, {"stroke-width", "1"}});
    for (const double offset : {-2.0, 2.0}) {
      if (horizontal)
        stroke(x + offset - 2, y + 5, x + offset + 2, y - 5);
      else
        stroke(x - 5, y + offset + 2, x + 5, y + offset - 2);
    }
    svg_.close();
  }

  void label(
      const Tick& tick, const std::string& text, double x, double y, std::string_view anchor) {
    if (!tick.power) return svg_.write(x, y, text, anchor);
    // A minus sign in the exponent, not a hyphen.
    const auto exponent =
        (tick.exponent < 0 ? "\u2212" : "") + fmt::format("{}", std::abs(tick.exponent));
    svg_.markup(
        "text",
        {{"x", num(x)}, {"y", num(y)}, {"text-anchor", std::string(anchor)}},
        fmt::format(
            "10<tspan dy=\"{}\" font-size=\"{}\">{}</tspan>", num(em(-5)), num(em(9)), exponent));
  }

  /// At least a pixel wide, with the fault's kind where there is room.
  void fault_band(const FaultBand& fault) {
    const bool from_edge = at_.x().is_log() && !(fault.from > 0);
    const double from = from_edge ? left() : std::max(left(), at_.x_at(fault.from));
    const double to = std::min(right(), std::max(at_.x_at(fault.to), from + 1));
    if (from >= right() || to <= left()) return;
    auto attributes = box(from, top(), to - from, bottom() - top());
    attributes.emplace_back("fill", std::string(kInk));
    attributes.emplace_back("fill-opacity", "0.09");
    svg_.empty("rect", attributes);
    const auto kind = fault.label.substr(0, fault.label.find(' '));
    if (text_width(kind, em(12)) + em(6) <= to - from)
      svg_.write(from + em(3), top() + em(11), kind, "start");
  }

  /// A line's points in pixels. On a logarithmic x axis, what holds at 0 holds at the axis' begin.
  std::vector<ChartPoint> visible(const Series& series) const {
    auto points = corners(series);
    if (at_.x().is_log() && !at_.x().has_zero())
      for (auto& point : points) point.x = std::max(point.x, at_.least_x());
    return points;
  }

  void band(const Series& series) {
    if (series.kind == Series::Kind::points || series.kind == Series::Kind::front ||
        series.background)
      return;
    const auto points = visible(series);
    if (std::none_of(points.begin(), points.end(), [](const auto& p) {
          return p.around_y && !p.around_y->empty();
        }))
      return;
    std::string path;
    for (const auto& p : points)
      path += fmt::format(
          "{}{} {}", path.empty() ? "M" : " L", num(at_.x_at(p.x)), num(at_.y_at(p.high_y())));
    for (std::size_t i = points.size(); i-- > 0;) {
      const ChartPoint& p = points[i];
      path += fmt::format(" L{} {}", num(at_.x_at(p.x)), num(at_.y_at(p.low_y())));
    }
    svg_.empty(
        "path",
        {{"d", path + " Z"}, {"fill", series_colour(series.style)}, {"fill-opacity", "0.18"}});
  }

  /// Which of how many lines with the same points this one is.
  std::pair<std::size_t, std::size_t> among_equal_lines(const Series& series) const {
    const auto equal = [&](const Series& other) {
      return other.kind == series.kind && !other.points.empty() &&
             std::equal(other.points.begin(),
                        other.points.end(),
                        series.points.begin(),
                        series.points.end(),
                        [](const auto& a, const auto& b) { return a.x == b.x && a.y == b.y; });
    };
    std::size_t before = 0, all = 0;
    for (const auto& other : chart_.series) {
      if (&other == &series) before = all;
      all += equal(other);
    }
    return {before, all};
  }

  void line(const Series& series) {
    if (series.kind == Series::Kind::points || series.points.empty()) return;
    const bool grey = is_grey(series);
    std::string path;
    for (const auto& p : visible(series))
      path +=
          fmt::format("{}{} {}", path.empty() ? "M" : " L", num(at_.x_at(p.x)), num(at_.y_at(p.y)));
    Svg::Attributes attributes{{"d", path},
                               {"fill", "none"},
                               {"stroke", grey ? std::string(kGuide) : series_colour(series.style)},
                               {"stroke-width", num(em(grey ? 1 : 1.8))},
                               {"stroke-linejoin", "round"}};
    if (series.kind == Series::Kind::guide || series.alone) {
      attributes.emplace_back("stroke-dasharray", "6 4");
    } else if (const auto [before, equal] = among_equal_lines(series); before > 0) {
      // Dashes over the first of them, so that all are seen.
      constexpr std::size_t kDash = 9;
      attributes.emplace_back("stroke-dasharray", fmt::format("{} {}", kDash, kDash * (equal - 1)));
      attributes.emplace_back("stroke-dashoffset", fmt::format("-{}", kDash * before));
    }
    svg_.empty("path", attributes);
  }

  void dashes(double from, double to, double y, const std::string& stroke_colour) {
    svg_.empty("line",
               {{"x1", num(from)},
                {"y1", num(y)},
                {"x2", num(to)},
                {"y2", num(y)},
                {"stroke", stroke_colour},
                {"stroke-width", num(em(1.4))},
                {"stroke-dasharray", "6 4"}});
  }

  bool inside(const ChartPoint& p) const {
    constexpr double kSlack = 0.5;
    const double x = at_.x_at(p.x), y = at_.y_at(p.y);
    return x >= left() - kSlack && x <= right() + kSlack && y >= top() - kSlack &&
           y <= bottom() + kSlack;
  }

  void markers(const Series& series) {
    const bool scattered = series.kind == Series::Kind::points;
    if ((is_grey(series) && !scattered) || series.coloured || series.alone) return;
    const auto colour = series.background ? std::string(kGuide) : series_colour(series.style);
    const auto form = series.marker.value_or(marker_of(series.style));
    if (scattered && !series.background)
      for (const auto& point : series.points) error_bars(point, colour);
    for (const auto& point : scattered ? series.points : marked(series))
      draw_marker(svg_,
                  form,
                  colour,
                  at_.x_at(point.x),
                  at_.y_at(point.y),
                  em(series.background ? kMarker / 2
                     : scattered       ? kPoint
                                       : kMarker));
  }

  /// Points spread evenly over the picture; shifted by style, so that markers of lines that run
  /// together don't hide each other.
  std::vector<ChartPoint> marked(const Series& series) const {
    std::vector<ChartPoint> points, out;
    for (auto point : series.points) {
      if (at_.x().is_log() && !at_.x().has_zero()) point.x = std::max(point.x, at_.least_x());
      if (inside(point)) points.push_back(point);
    }
    if (points.size() <= kAllMarked) return points;
    const auto styles = static_cast<double>(std::max<std::size_t>(chart_.series.size(), 1));
    const double gap = (right() - left()) / static_cast<double>(kMarkers);
    const double shift = (static_cast<double>(series.style) + 0.5) / styles;
    for (std::size_t k = 0; k < kMarkers; ++k) {
      const double target = left() + (static_cast<double>(k) + shift) * gap;
      const auto nearest =
          std::min_element(points.begin(), points.end(), [&](const auto& a, const auto& b) {
            return std::abs(at_.x_at(a.x) - target) < std::abs(at_.x_at(b.x) - target);
          });
      if (std::abs(at_.x_at(nearest->x) - target) > gap / 2) continue;
      if (out.empty() || out.back().x != nearest->x) out.push_back(*nearest);
    }
    // The end of a line is always marked: it may stop short of the picture's edge.
    if (out.empty() || at_.x_at(points.back().x) - at_.x_at(out.back().x) > 12)
      out.push_back(points.back());
    else
      out.back() = points.back();
    return out;
  }

  void error_bars(const ChartPoint& p, const std::string& stroke_colour) {
    svg_.open("g", {{"stroke", stroke_colour}, {"stroke-width", num(em(1.2))}});
    const double x = at_.x_at(p.x), y = at_.y_at(p.y);
    const auto within = [](double v, double low, double high) { return v >= low && v <= high; };
    if (p.around_x && !p.around_x->empty()) {
      const double from = at_.x_at(p.low_x()), to = at_.x_at(p.high_x());
      stroke(std::max(from, left()), y, std::min(to, right()), y);
      for (const double end : {from, to})
        if (within(end, left(), right())) stroke(end, y - 4, end, y + 4);
    }
    if (p.around_y && !p.around_y->empty()) {
      const double low = at_.y_at(p.low_y()), high = at_.y_at(p.high_y());
      stroke(x, std::min(low, bottom()), x, std::max(high, top()));
      for (const double end : {low, high})
        if (within(end, top(), bottom())) stroke(x - 4, end, x + 4, end);
    }
    svg_.close();
  }

  double em(double of_twelve) const { return at_.em(of_twelve); }
  double left() const { return at_.left(); }
  double right() const { return at_.right(); }
  double top() const { return at_.top(); }
  double bottom() const { return at_.bottom(); }

  const Chart& chart_;
  const ChartLayout& at_;
  Svg& svg_;
  bool in_panel_;
};

}  // namespace

Chart with_drawable_scales(Chart chart) {
  const auto check = [&](AxisSpec& axis, double ChartPoint::*value) {
    if (axis.scale != Scale::log) return;
    bool any = false, above = false, below = false;
    for (const auto& series : chart.series)
      for (const auto& point : series.points) {
        any = true;
        above = above || point.*value > 0;
        below = below || point.*value < 0;
      }
    if (!any || (above && !below)) return;
    axis.scale = Scale::linear;
    chart.subtitle +=
        fmt::format("{}the axis of {} is linear: values of 0 or less have no logarithm",
                    chart.subtitle.empty() ? "" : "; ",
                    axis.label);
  };
  check(chart.x, &ChartPoint::x);
  check(chart.y, &ChartPoint::y);
  return chart;
}

std::string to_svg(const Chart& chart, const PictureStyle& style) {
  Chart drawable = with_drawable_scales(chart);
  if (!drawable.note.empty())
    drawable.subtitle += (drawable.subtitle.empty() ? "" : "; ") + drawable.note;
  Svg svg;
  const ChartLayout layout(drawable, style);
  ChartDrawing(svg, drawable, layout).draw();
  return svg.str();
}

void draw_panel(Svg& svg, const Chart& chart, const PictureStyle& style, const PanelFrame& frame) {
  const ChartLayout layout(chart, style, frame);
  ChartDrawing(svg, chart, layout, true).content(frame.x_ticks, frame.y_ticks);
}

}  // namespace posse
