#include "program/plot/chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "program/base/csv.hpp"
#include "program/plot/axis.hpp"
#include "program/plot/svg.hpp"

namespace posse {
namespace {

constexpr std::string_view kGrid = "#e4e4e4", kFront = "#9a9a9a";

constexpr double kWidth = 760, kHeight = 440;
constexpr double kLabelSize = 13;
constexpr double kLine = 17;                      // from one line of text to the next
constexpr double kSample = 30;                    // a legend's sample of a line
constexpr double kLegendText = 150;               // its widest text before it is wrapped
constexpr std::size_t kMarkers = 7;               // along a line
constexpr double kFarLinear = 1.5, kFarLog = 10;  // how far a reference may extend the range

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::string colour(std::size_t style) {
  return std::string(kSeriesColours[style % kSeriesColours.size()]);
}
std::string num(double value) { return svg_number(value); }

struct Range {
  double low = kInfinity, high = -kInfinity;
  void include(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  bool empty() const { return low > high; }
};

/// The range of one coordinate over all series and bands. Bands do not extend a logarithmic axis to
/// 0 or below, nor an axis of nonnegative values below 0.
Range range_of(const Chart& chart, bool of_x) {
  const AxisSpec& axis = of_x ? chart.x : chart.y;
  Range values, all;
  for (const auto& series : chart.series)
    for (const auto& point : series.points) {
      const double value = of_x ? point.x : point.y;
      const double low = of_x ? point.low_x() : point.low_y();
      const double high = of_x ? point.high_x() : point.high_y();
      if (axis.scale == Scale::log) {
        if (value <= 0) continue;
        values.include(value);
        all.include(high);
        all.include(low > value / 4 ? low : value / 1.2);
      } else {
        values.include(value);
        all.include(high);
        all.include(low);
      }
    }
  if (all.empty()) return {axis.scale == Scale::log ? 1.0 : 0.0, 1};
  if (axis.scale == Scale::linear && values.low >= 0) all.low = 0;
  return all;
}

bool has_zero(const Chart& chart, bool of_x) {
  return std::any_of(chart.series.begin(), chart.series.end(), [&](const Series& series) {
    return std::any_of(series.points.begin(), series.points.end(), [&](const ChartPoint& point) {
      return (of_x ? point.x : point.y) == 0;
    });
  });
}

UnitPrefix prefix_for(const AxisSpec& axis, double largest) {
  if (axis.scale == Scale::log) return {1, axis.unit};
  return unit_prefix(axis.unit, largest);
}

/// Drawn from the data, or for comparison with it: grey, without markers.
bool is_grey(const Series& series) {
  return series.kind == Series::Kind::front || series.kind == Series::Kind::guide;
}

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

class Drawing {
 public:
  explicit Drawing(const Chart& chart) : chart_(chart) {
    make_axes();
    lay_out_legend();
    lay_out();
  }

  std::string draw() {
    svg_.open_picture(kWidth, height_, kSmallSize, chart_.title, description());
    svg_.open("defs");
    svg_.open("clipPath", {{"id", chart_.id + "-area"}});
    svg_.empty("rect", box(left_, top_, right_ - left_, bottom_ - top_));
    svg_.close();
    svg_.close();
    headings();
    grid();
    svg_.open("g", {{"clip-path", fmt::format("url(#{}-area)", chart_.id)}});
    for (const auto& series : chart_.series) band(series);
    for (const auto& reference : chart_.references)
      if (shown(reference)) dashes(left_, right_, y_at(reference.y), colour(reference.style));
    for (const auto& series : chart_.series) line(series);
    svg_.close();
    for (const auto& series : chart_.series) markers(series);
    frame();
    legend();
    svg_.close();
    return svg_.str();
  }

 private:
  // --- layout ---

  void lay_out_legend() {
    legend_width_ = 0;
    const auto widen = [&](const std::string& text) {
      for (const auto& row : text_lines(text, kSmallSize, kLegendText))
        legend_width_ = std::max(legend_width_, text_width(row, kSmallSize));
    };
    for (const auto& series : chart_.series) widen(series.label);
    for (const auto& reference : chart_.references) widen(legend_text(reference));
    widen(chart_.band);
    legend_width_ += kSample + 8;
  }

  void make_axes() {
    Range x = range_of(chart_, true), y = range_of(chart_, false);
    const double far = chart_.y.scale == Scale::log ? kFarLog : kFarLinear;
    y_limit_ = y.high * far;
    for (const auto& reference : chart_.references)
      if (shown(reference)) y.include(reference.y);
    x_prefix_ = prefix_for(chart_.x, x.high);
    y_prefix_ = prefix_for(chart_.y, y.high);
    const bool scattered =
        std::any_of(chart_.series.begin(), chart_.series.end(), [](const Series& s) {
          return s.kind == Series::Kind::points;
        });
    x_ = axis(chart_.x, x, x_prefix_, scattered ? Ends::widened : Ends::tight, true);
    y_ = axis(chart_.y, y, y_prefix_, Ends::widened, false);
  }

  Axis axis(
      const AxisSpec& spec, const Range& range, const UnitPrefix& prefix, Ends ends, bool of_x) {
    const double low = range.low / prefix.factor, high = range.high / prefix.factor;
    if (spec.scale == Scale::linear) return Axis::linear(low, high, ends);
    if (spec.zero_has_a_place && has_zero(chart_, of_x))
      return Axis::logarithmic_with_zero(low, high);
    return Axis::logarithmic(low, high, ends);
  }

  bool shown(const Reference& reference) const {
    return reference.y <= y_limit_ && (chart_.y.scale == Scale::linear || reference.y > 0);
  }

  std::string legend_text(const Reference& reference) const {
    return reference.label + (shown(reference) ? "" : " (beyond the picture)");
  }

  void lay_out() {
    double ticks = 0;
    for (const auto& tick : y_.ticks()) ticks = std::max(ticks, text_width(tick.label, kSmallSize));
    left_ = kEdge + kLabelSize + 10 + ticks + 8;
    right_ = kWidth - kEdge - legend_width_ - 14;
    subtitle_ = text_lines(chart_.subtitle, kSmallSize, kWidth - 2 * kEdge);
    top_ = kEdge + kTitleSize + static_cast<double>(subtitle_.size()) * kLine + 14;
    height_ = std::max(kHeight, top_ + legend_height() + 64);
    bottom_ = height_ - 56;
  }

  double legend_height() const {
    std::size_t rows = 0;
    const auto count = [&](const std::string& text) {
      rows += text_lines(text, kSmallSize, kLegendText).size();
    };
    for (const auto& series : chart_.series) count(series.label);
    for (const auto& reference : chart_.references) count(legend_text(reference));
    count(chart_.band);
    return static_cast<double>(rows) * kLine;
  }

  double x_at(double value) const {
    const double along = std::clamp(x_.position(value / x_prefix_.factor), -1.0, 2.0);
    return left_ + (right_ - left_) * along;
  }
  double y_at(double value) const {
    const double along = std::clamp(y_.position(value / y_prefix_.factor), -1.0, 2.0);
    return bottom_ - (bottom_ - top_) * along;
  }

  static Svg::Attributes box(double x, double y, double width, double height) {
    return {{"x", num(x)}, {"y", num(y)}, {"width", num(width)}, {"height", num(height)}};
  }

  // --- parts ---

  std::string description() const {
    std::string text = fmt::format("{}. {}.", chart_.title, chart_.subtitle);
    for (const auto& series : chart_.series)
      if (!is_grey(series) && !series.points.empty())
        text += fmt::format(
            " {}: {:.5g} at {:.5g}.", series.label, series.points.back().y, series.points.back().x);
    return text;
  }

  void write(double x,
             double y,
             std::string_view text,
             std::string_view anchor = "start",
             std::string_view fill = kInk) {
    svg_.text("text",
              {{"x", num(x)},
               {"y", num(y)},
               {"text-anchor", std::string(anchor)},
               {"fill", std::string(fill)}},
              text);
  }

  void headings() {
    double y = kEdge + kTitleSize - 2;
    svg_.text(
        "text",
        {{"x", num(kEdge)}, {"y", num(y)}, {"font-size", num(kTitleSize)}, {"font-weight", "bold"}},
        chart_.title);
    for (const auto& row : subtitle_) write(kEdge, y += kLine + 1, row, "start", kFaint);
    svg_.text("text",
              {{"x", num((left_ + right_) / 2)},
               {"y", num(bottom_ + 44)},
               {"text-anchor", "middle"},
               {"font-size", num(kLabelSize)}},
              with_unit(chart_.x, x_prefix_));
    const double middle = (top_ + bottom_) / 2, at = kEdge + kLabelSize - 3;
    svg_.text("text",
              {{"x", num(at)},
               {"y", num(middle)},
               {"text-anchor", "middle"},
               {"font-size", num(kLabelSize)},
               {"transform", fmt::format("rotate(-90 {} {})", num(at), num(middle))}},
              with_unit(chart_.y, y_prefix_));
  }

  static std::string with_unit(const AxisSpec& axis, const UnitPrefix& prefix) {
    return prefix.unit.empty() ? axis.label : fmt::format("{} ({})", axis.label, prefix.unit);
  }

  void grid() {
    svg_.open("g", {{"stroke", std::string(kGrid)}, {"stroke-width", "1"}});
    for (const auto& tick : x_.ticks())
      if (!tick.label.empty()) stroke(tick_x(tick), top_, tick_x(tick), bottom_);
    for (const auto& tick : y_.ticks())
      if (!tick.label.empty()) stroke(left_, tick_y(tick), right_, tick_y(tick));
    svg_.close();
  }

  double tick_x(const Tick& tick) const {
    return left_ + (right_ - left_) * x_.position(tick.value);
  }
  double tick_y(const Tick& tick) const {
    return bottom_ - (bottom_ - top_) * y_.position(tick.value);
  }

  void stroke(double x1, double y1, double x2, double y2) {
    svg_.empty("line", {{"x1", num(x1)}, {"y1", num(y1)}, {"x2", num(x2)}, {"y2", num(y2)}});
  }

  void frame() {
    svg_.open("g", {{"stroke", std::string(kFaint)}, {"stroke-width", "1"}});
    stroke(left_, bottom_, right_, bottom_);
    stroke(left_, top_, left_, bottom_);
    for (const auto& tick : x_.ticks())
      stroke(tick_x(tick), bottom_, tick_x(tick), bottom_ + (tick.label.empty() ? 3 : 5));
    for (const auto& tick : y_.ticks())
      stroke(left_, tick_y(tick), left_ - (tick.label.empty() ? 3 : 5), tick_y(tick));
    svg_.close();
    if (x_.has_zero()) axis_break(left_ + (right_ - left_) * kZeroGap / 2, bottom_, true);
    if (y_.has_zero()) axis_break(left_, bottom_ - (bottom_ - top_) * kZeroGap / 2, false);
    for (const auto& tick : x_.ticks()) label(tick, tick_x(tick), bottom_ + 19, "middle");
    for (const auto& tick : y_.ticks()) label(tick, left_ - 8, tick_y(tick) + 4, "end");
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

  void label(const Tick& tick, double x, double y, std::string_view anchor) {
    if (!tick.power) {
      if (!tick.label.empty()) write(x, y, tick.label, anchor);
      return;
    }
    // A minus sign in the exponent, not a hyphen.
    const auto exponent =
        (tick.exponent < 0 ? "\u2212" : "") + fmt::format("{}", std::abs(tick.exponent));
    svg_.markup("text",
                {{"x", num(x)}, {"y", num(y)}, {"text-anchor", std::string(anchor)}},
                fmt::format("10<tspan dy=\"-5\" font-size=\"9\">{}</tspan>", exponent));
  }

  /// A line's points in pixels. On a logarithmic x axis, what holds at 0 holds at the axis' begin.
  std::vector<ChartPoint> visible(const Series& series) const {
    auto points = corners(series);
    if (x_.is_log() && !x_.has_zero())
      for (auto& point : points) point.x = std::max(point.x, x_.low() * x_prefix_.factor);
    return points;
  }

  void band(const Series& series) {
    if (series.kind == Series::Kind::points || series.kind == Series::Kind::front) return;
    const auto points = visible(series);
    if (std::none_of(points.begin(), points.end(), [](const auto& p) {
          return p.around_y && !p.around_y->empty();
        }))
      return;
    std::string path;
    for (const auto& p : points)
      path +=
          fmt::format("{}{} {}", path.empty() ? "M" : " L", num(x_at(p.x)), num(y_at(p.high_y())));
    for (std::size_t i = points.size(); i-- > 0;) {
      const ChartPoint& p = points[i];
      path += fmt::format(" L{} {}", num(x_at(p.x)), num(y_at(p.low_y())));
    }
    svg_.empty("path",
               {{"d", path + " Z"}, {"fill", colour(series.style)}, {"fill-opacity", "0.18"}});
  }

  void line(const Series& series) {
    if (series.kind == Series::Kind::points || series.points.empty()) return;
    const bool grey = is_grey(series);
    std::string path;
    for (const auto& p : visible(series))
      path += fmt::format("{}{} {}", path.empty() ? "M" : " L", num(x_at(p.x)), num(y_at(p.y)));
    Svg::Attributes attributes{{"d", path},
                               {"fill", "none"},
                               {"stroke", grey ? std::string(kFront) : colour(series.style)},
                               {"stroke-width", grey ? "1" : "1.8"},
                               {"stroke-linejoin", "round"}};
    if (series.kind == Series::Kind::guide) attributes.emplace_back("stroke-dasharray", "6 4");
    svg_.empty("path", attributes);
  }

  void dashes(double from, double to, double y, const std::string& stroke_colour) {
    svg_.empty("line",
               {{"x1", num(from)},
                {"y1", num(y)},
                {"x2", num(to)},
                {"y2", num(y)},
                {"stroke", stroke_colour},
                {"stroke-width", "1.4"},
                {"stroke-dasharray", "6 4"}});
  }

  bool inside(const ChartPoint& p) const {
    constexpr double kSlack = 0.5;
    const double x = x_at(p.x), y = y_at(p.y);
    return x >= left_ - kSlack && x <= right_ + kSlack && y >= top_ - kSlack &&
           y <= bottom_ + kSlack;
  }

  void markers(const Series& series) {
    if (is_grey(series)) return;
    if (series.kind == Series::Kind::points) {
      for (const auto& point : series.points) {
        error_bars(point, colour(series.style));
        marker(series.style, x_at(point.x), y_at(point.y), 5);
      }
      return;
    }
    for (const auto& point : marked(series))
      marker(series.style, x_at(point.x), y_at(point.y), 3.6);
  }

  /// Points spread evenly over the picture; shifted by style, so that markers of lines that run
  /// together don't hide each other.
  std::vector<ChartPoint> marked(const Series& series) const {
    std::vector<ChartPoint> points, out;
    for (auto point : series.points) {
      if (x_.is_log() && !x_.has_zero()) point.x = std::max(point.x, x_.low() * x_prefix_.factor);
      if (inside(point)) points.push_back(point);
    }
    if (points.size() <= kMarkers) return points;
    const auto styles = static_cast<double>(std::max<std::size_t>(chart_.series.size(), 1));
    const double gap = (right_ - left_) / static_cast<double>(kMarkers);
    const double shift = (static_cast<double>(series.style) + 0.5) / styles;
    for (std::size_t k = 0; k < kMarkers; ++k) {
      const double target = left_ + (static_cast<double>(k) + shift) * gap;
      const auto nearest =
          std::min_element(points.begin(), points.end(), [&](const auto& a, const auto& b) {
            return std::abs(x_at(a.x) - target) < std::abs(x_at(b.x) - target);
          });
      if (std::abs(x_at(nearest->x) - target) > gap / 2) continue;
      if (out.empty() || out.back().x != nearest->x) out.push_back(*nearest);
    }
    // The end of a line is always marked: it may stop short of the picture's edge.
    if (out.empty() || x_at(points.back().x) - x_at(out.back().x) > 12)
      out.push_back(points.back());
    else
      out.back() = points.back();
    return out;
  }

  void error_bars(const ChartPoint& p, const std::string& stroke_colour) {
    svg_.open("g", {{"stroke", stroke_colour}, {"stroke-width", "1.2"}});
    const double x = x_at(p.x), y = y_at(p.y);
    const auto within = [](double v, double low, double high) { return v >= low && v <= high; };
    if (p.around_x && !p.around_x->empty()) {
      const double from = x_at(p.low_x()), to = x_at(p.high_x());
      stroke(std::max(from, left_), y, std::min(to, right_), y);
      for (const double end : {from, to})
        if (within(end, left_, right_)) stroke(end, y - 4, end, y + 4);
    }
    if (p.around_y && !p.around_y->empty()) {
      const double low = y_at(p.low_y()), high = y_at(p.high_y());
      stroke(x, std::min(low, bottom_), x, std::max(high, top_));
      for (const double end : {low, high})
        if (within(end, top_, bottom_)) stroke(x - 4, end, x + 4, end);
    }
    svg_.close();
  }

  void marker(std::size_t style, double x, double y, double r) {
    const std::string fill = colour(style);
    const auto polygon = [&](std::initializer_list<std::pair<double, double>> points) {
      std::string text;
      for (const auto& [dx, dy] : points)
        text += fmt::format("{}{},{}", text.empty() ? "" : " ", num(x + dx * r), num(y + dy * r));
      svg_.empty("polygon", {{"points", text}, {"fill", fill}, {"stroke", std::string(kGround)}});
    };
    switch ((style + style / kSeriesColours.size()) % kSeriesColours.size()) {
      case 0:
        svg_.empty("circle",
                   {{"cx", num(x)},
                    {"cy", num(y)},
                    {"r", num(r)},
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

  /// Lines from top to bottom as they end in the picture; points in the scenario's order.
  std::vector<const Series*> legend_order() const {
    std::vector<const Series*> order;
    for (const auto& series : chart_.series) order.push_back(&series);
    std::stable_sort(order.begin(), order.end(), [](const Series* a, const Series* b) {
      const auto height = [](const Series* s) {
        if (is_grey(*s)) return -kInfinity;
        return s->kind == Series::Kind::points || s->points.empty() ? 0 : s->points.back().y;
      };
      return height(a) > height(b);
    });
    return order;
  }

  void legend() {
    const double x = right_ + 14, text_x = x + kSample + 8;
    double y = top_ + 10;
    const auto words = [&](const std::string& text, std::string_view fill) {
      for (const auto& row : text_lines(text, kSmallSize, kLegendText)) {
        write(text_x, y, row, "start", fill);
        y += kLine;
      }
    };
    for (const auto* series : legend_order()) {
      sample(*series, x, y - 4);
      words(series->label, kInk);
    }
    for (const auto& reference : chart_.references) {
      dashes(x, x + kSample, y - 4, colour(reference.style));
      words(legend_text(reference), kInk);
    }
    if (chart_.band.empty()) return;
    y += 4;
    if (std::none_of(chart_.series.begin(), chart_.series.end(), [](const Series& s) {
          return s.kind == Series::Kind::points;
        })) {
      auto swatch = box(x, y - 10, kSample, 12);
      swatch.emplace_back("fill", kFaint);
      swatch.emplace_back("fill-opacity", "0.18");
      svg_.empty("rect", swatch);
    }
    words(chart_.band, kFaint);
  }

  void sample(const Series& series, double x, double y) {
    const double middle = x + kSample / 2;
    if (series.kind != Series::Kind::points) {
      const bool grey = is_grey(series);
      Svg::Attributes attributes{{"x1", num(x)},
                                 {"y1", num(y)},
                                 {"x2", num(x + kSample)},
                                 {"y2", num(y)},
                                 {"stroke", grey ? std::string(kFront) : colour(series.style)},
                                 {"stroke-width", grey ? "1" : "1.8"}};
      if (series.kind == Series::Kind::guide) attributes.emplace_back("stroke-dasharray", "6 4");
      svg_.empty("line", attributes);
      if (grey) return;
    }
    marker(series.style, middle, y, series.kind == Series::Kind::points ? 5 : 3.6);
  }

  const Chart& chart_;
  Svg svg_;
  Axis x_, y_;
  UnitPrefix x_prefix_, y_prefix_;
  double y_limit_ = 0;  // references above it are only named
  double legend_width_ = 0, height_ = kHeight;
  double left_ = 0, right_ = 0, top_ = 0, bottom_ = 0;
  std::vector<std::string> subtitle_;
};

std::string_view part_name(Series::Kind kind) {
  switch (kind) {
    case Series::Kind::points:
      return "point";
    case Series::Kind::front:
      return "front";
    case Series::Kind::guide:
      return "guide";
    default:
      return "line";
  }
}

}  // namespace

std::string to_svg(const Chart& chart) { return Drawing(chart).draw(); }

std::string to_csv(const Chart& chart) {
  const bool scattered = std::any_of(chart.series.begin(), chart.series.end(), [](const Series& s) {
    return s.kind == Series::Kind::points;
  });
  const auto& x = chart.x.name;
  const auto& y = chart.y.name;
  std::string out = fmt::format("series,part,{0}{1},{2},{2}_low,{2}_high,repetitions\n",
                                x,
                                scattered ? fmt::format(",{0}_low,{0}_high", x) : "",
                                y);
  for (const auto& series : chart.series)
    for (const auto& p : series.points)
      out += fmt::format("{},{},{}{},{},{},{}\n",
                         csv_cell(series.label),
                         part_name(series.kind),
                         p.x,
                         scattered ? fmt::format(",{},{}", p.low_x(), p.high_x()) : "",
                         p.y,
                         p.around_y ? fmt::format("{},{}", p.low_y(), p.high_y()) : ",",
                         series.repetitions);
  for (const auto& reference : chart.references)
    out += fmt::format(
        "{},bound,{},{},,,\n", csv_cell(reference.label), scattered ? ",," : "", reference.y);
  return out;
}

}  // namespace posse
