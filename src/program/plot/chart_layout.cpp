// SPDX-License-Identifier: Apache-2.0
#include "program/plot/chart_layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace posse {
namespace {

// At a font size of 12.
constexpr double kLabelSize = 12;
constexpr double kBesideFrom = 540;                  // the least width for a legend beside the data
constexpr double kHeight = 11.0 / 19, kFlat = 0.62;  // of the picture's width, of the data's
constexpr double kFarLinear = 1.5, kFarLog = 10;     // how far a reference may extend the range

bool has_points(const Chart& chart) {
  return std::any_of(chart.series.begin(), chart.series.end(), [](const Series& s) {
    return s.kind == Series::Kind::points;
  });
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

std::string with_unit(const AxisSpec& axis, const UnitPrefix& prefix) {
  return prefix.unit.empty() ? axis.label : fmt::format("{} ({})", axis.label, prefix.unit);
}

}  // namespace

bool is_grey(const Series& series) {
  return series.background || series.kind == Series::Kind::front ||
         (series.kind == Series::Kind::guide && !series.coloured);
}

void ChartLayout::Range::include(double value) {
  low = std::min(low, value);
  high = std::max(high, value);
}

/// The range of one coordinate over all series and bands. Bands do not extend a logarithmic axis to
/// 0 or below, nor an axis of nonnegative values below 0.
ChartLayout::Range ChartLayout::range_of(const Chart& chart, bool of_x) {
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
  // Values of a swept key may be far from 0.
  const bool near_zero = !of_x || values.low < 0.3 * values.high;
  if (axis.scale == Scale::linear && values.low >= 0 && near_zero) all.low = 0;
  return all;
}

ChartLayout::ChartLayout(const Chart& chart, const PictureStyle& style)
    : chart_(chart),
      style_(style),
      headings_(chart.title, chart.subtitle, style),
      legend_(Legend::beside({}, style.font_size)) {
  make_axes(chart, chart);
  lay_out();
}

ChartLayout::ChartLayout(const Chart& chart, const PictureStyle& style, const PanelFrame& frame)
    : chart_(chart),
      style_(style),
      headings_("", "", style),
      legend_(Legend::beside({}, style.font_size)),
      left_(frame.left),
      right_(frame.right),
      top_(frame.top),
      bottom_(frame.bottom) {
  make_axes(frame.for_x, frame.for_y);
}

double ChartLayout::label_size() const { return em(kLabelSize); }
bool ChartLayout::is_narrow() const { return style_.width < em(kBesideFrom); }
bool ChartLayout::is_scattered() const { return has_points(chart_); }
std::string ChartLayout::x_name() const { return with_unit(chart_.x, x_prefix_); }
std::string ChartLayout::y_name() const { return with_unit(chart_.y, y_prefix_); }

void ChartLayout::make_axes(const Chart& for_x, const Chart& for_y) {
  Range x = range_of(for_x, true), y = range_of(for_y, false);
  const double far = for_y.y.scale == Scale::log ? kFarLog : kFarLinear;
  y_limit_ = y.high * far;
  for (const auto& reference : for_y.references)
    if (shown(reference)) y.include(reference.y);
  x_prefix_ = prefix_for(for_x.x, x.high);
  y_prefix_ = prefix_for(for_y.y, y.high);
  x_ = axis(for_x, x, x_prefix_, has_points(for_x) ? Ends::widened : Ends::tight, true);
  y_ = axis(for_y, y, y_prefix_, Ends::widened, false);
}

Axis ChartLayout::axis(
    const Chart& of, const Range& range, const UnitPrefix& prefix, Ends ends, bool of_x) const {
  const AxisSpec& spec = of_x ? of.x : of.y;
  if (!spec.categories.empty()) return Axis::of_names(spec.categories);
  const double low = range.low / prefix.factor, high = range.high / prefix.factor;
  if (spec.scale == Scale::linear)
    return Axis::linear(low, high, ends, of_x && is_narrow() ? 4 : 6);
  if ((!of_x || spec.zero_has_a_place) && has_zero(of, of_x))
    return Axis::logarithmic_with_zero(low, high);
  return Axis::logarithmic(low, high, ends);
}

bool ChartLayout::shown(const Reference& reference) const {
  return reference.y <= y_limit_ && (chart_.y.scale == Scale::linear || reference.y > 0);
}

double ChartLayout::x_at(double value) const {
  const double along = std::clamp(x_.position(value / x_prefix_.factor), -1.0, 2.0);
  return left_ + (right_ - left_) * along;
}
double ChartLayout::y_at(double value) const {
  const double along = std::clamp(y_.position(value / y_prefix_.factor), -1.0, 2.0);
  return bottom_ - (bottom_ - top_) * along;
}

void ChartLayout::lay_out() {
  const double size = style_.font_size, within = style_.width - 2 * em(kEdge);
  double ticks = 0;
  for (const auto& tick : y_.ticks()) ticks = std::max(ticks, text_width(tick.label, size));
  auto entries = legend_entries(chart_, [this](const Reference& r) { return shown(r); });
  legend_ = is_narrow() ? Legend::below(std::move(entries), size, within)
                        : Legend::beside(std::move(entries), size);
  top_ = headings_.bottom();
  right_ = style_.width - em(kEdge) - (is_narrow() ? em(6) : legend_.width() + em(14));
  // The label of the y axis has as many lines as it needs in the height that it gets, and the
  // height follows from what the lines leave.
  std::size_t lines = 1;
  for (int pass = 0; pass < 2; ++pass) {
    left_ = em(kEdge) + static_cast<double>(lines) * em(kLabelSize + 3) + em(7) + ticks + em(8);
    x_label_ = text_lines(x_name(), em(kLabelSize), right_ - left_);
    bottom_ = is_narrow()
                  ? top_ + std::max(em(120), kFlat * (right_ - left_))
                  : std::max(style_.width * kHeight, top_ + legend_.height() + em(64)) - below();
    y_label_ = text_lines(y_name(), em(kLabelSize), bottom_ - top_);
    lines = y_label_.size();
  }
  height_ = bottom_ + below();
  legend_x_ = is_narrow() ? em(kEdge) : right_ + em(14);
  legend_y_ = is_narrow() ? height_ - em(4) : top_;
  if (is_narrow()) height_ += legend_.height() + em(6);
}

/// What stands below the data: labels of ticks, and of the axis.
double ChartLayout::below() const {
  const auto lines = static_cast<double>(x_label_.size() + most_tick_lines() - 2);
  return em(56) + lines * em(kLineHeight);
}

std::size_t ChartLayout::most_tick_lines() const {
  std::size_t most = 1;
  for (const auto& tick : x_.ticks()) most = std::max(most, lines_of(tick).size());
  return most;
}
std::vector<std::string> ChartLayout::lines_of(const Tick& tick) const {
  if (chart_.x.categories.empty()) return {tick.label};
  const auto share = (right_ - left_) / static_cast<double>(chart_.x.categories.size());
  return text_lines(tick.label, style_.font_size, share - em(6));
}

template <class RangeOf>
std::vector<const Tick*> ChartLayout::apart(const Axis& axis, const RangeOf& range_of) {
  std::vector<const Tick*> shown;
  for (const bool main : {true, false})
    for (const auto& tick : axis.ticks()) {
      if (tick.label.empty() || tick.main != main) continue;
      const Range range = range_of(tick);
      if (std::none_of(shown.begin(), shown.end(), [&](const Tick* other) {
            const Range taken = range_of(*other);
            return range.low < taken.high && taken.low < range.high;
          }))
        shown.push_back(&tick);
    }
  return shown;
}

std::vector<const Tick*> ChartLayout::labelled_x() const {
  const double size = style_.font_size;
  return apart(x_, [&](const Tick& tick) {
    const double half = chart_.x.categories.empty() ? text_width(tick.label, size) / 2 : 0;
    return Range{tick_x(tick) - half - em(3), tick_x(tick) + half + em(3)};
  });
}

std::vector<const Tick*> ChartLayout::labelled_y() const {
  const double half = style_.font_size / 2;
  return apart(y_, [&](const Tick& tick) {
    return Range{tick_y(tick) - half, tick_y(tick) + half};
  });
}

namespace {

/// Lines from top to bottom as they end in the picture; points in the scenario's order.
std::vector<const Series*> legend_order(const Chart& chart) {
  std::vector<const Series*> order;
  for (const auto& series : chart.series)
    if (!series.background) order.push_back(&series);
  std::stable_sort(order.begin(), order.end(), [](const Series* a, const Series* b) {
    const auto height = [](const Series* s) {
      if (is_grey(*s)) return -std::numeric_limits<double>::infinity();
      return s->kind == Series::Kind::points || s->points.empty() ? 0 : s->points.back().y;
    };
    return height(a) > height(b);
  });
  return order;
}

/// Of a folded legend: algorithms by their colours, settings by their markers.
std::vector<LegendEntry> folded_entries(const std::vector<const Series*>& order) {
  using Sample = LegendEntry::Sample;
  std::vector<LegendEntry> entries;
  std::map<std::size_t, std::string> settings;  // by marker
  for (const auto* series : order) {
    const auto is_it = [&](const LegendEntry& entry) { return entry.text == series->algorithm; };
    if (std::ranges::none_of(entries, is_it))
      entries.push_back({Sample::plain_line, series->style, series->algorithm});
    settings.emplace(*series->marker, series->setting);
  }
  for (const auto& [marker, setting] : settings)
    entries.push_back({Sample::grey_marker, marker, setting});
  return entries;
}

}  // namespace

std::vector<LegendEntry> legend_entries(const Chart& chart,
                                        const std::function<bool(const Reference&)>& shown) {
  using Sample = LegendEntry::Sample;
  std::vector<LegendEntry> entries;
  std::vector<const Series*> folded;
  std::size_t background = 0;
  for (const auto& series : chart.series) background += series.background;
  for (const auto* series : legend_order(chart)) {
    if (series->marker && !series->alone) {
      folded.push_back(series);
      continue;
    }
    const auto sample = series->coloured || series->alone      ? Sample::dashes
                        : series->kind == Series::Kind::points ? Sample::marker
                        : series->kind == Series::Kind::front  ? Sample::grey_line
                        : series->kind == Series::Kind::guide  ? Sample::grey_dashes
                                                               : Sample::line;
    entries.push_back({sample, series->style, series->label});
  }
  const auto of_folded = folded_entries(folded);
  entries.insert(entries.begin(), of_folded.begin(), of_folded.end());
  if (background > 0)
    entries.push_back({Sample::grey_line, 0, fmt::format("{} others", background)});
  for (const auto& reference : chart.references)
    entries.push_back({Sample::dashes,
                       reference.style,
                       reference.label + (shown(reference) ? "" : " (beyond the picture)")});
  if (!chart.band.empty())
    entries.push_back({has_points(chart) ? Sample::none : Sample::area, 0, chart.band, true});
  return entries;
}

}  // namespace posse
