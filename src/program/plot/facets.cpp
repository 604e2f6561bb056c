// SPDX-License-Identifier: Apache-2.0
#include "program/plot/facets.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "program/base/csv.hpp"
#include "program/plot/chart_layout.hpp"

namespace posse {
namespace {

// At a font size of 12.
constexpr double kPanelLabel = 12, kPanelHeading = 22, kBetweenPanels = 20, kLeastPanel = 130,
                 kPanelShape = 0.72;
constexpr std::size_t kMostInRow = 4;  // of columns that are wrapped

/// Positions on an axis of names, of all panels' names.
void unite_names(std::vector<Panel>& panels) {
  std::vector<std::string> all;
  for (const auto& panel : panels)
    for (const auto& name : panel.chart.x.categories)
      if (std::ranges::find(all, name) == all.end()) all.push_back(name);
  if (all.empty()) return;
  for (auto& panel : panels) {
    for (auto& series : panel.chart.series)
      for (auto& point : series.points) {
        const auto& name = panel.chart.x.categories.at(static_cast<std::size_t>(point.x));
        point.x = static_cast<double>(std::ranges::find(all, name) - all.begin());
      }
    panel.chart.x.categories = all;
  }
}

/// A logarithmic axis, if one of those with its label is.
void unite_scales(std::vector<Panel>& panels, AxisSpec Chart::*axis) {
  std::set<std::string> logarithmic;
  for (const auto& panel : panels)
    if ((panel.chart.*axis).scale == Scale::log) logarithmic.insert((panel.chart.*axis).label);
  for (auto& panel : panels)
    if (logarithmic.contains((panel.chart.*axis).label)) (panel.chart.*axis).scale = Scale::log;
}

/// The series of all panels whose axes are those of the first.
Chart all_series(const std::vector<const Chart*>& charts) {
  Chart all = *charts.front();
  all.series.clear();
  for (const auto* chart : charts)
    all.series.insert(all.series.end(), chart->series.begin(), chart->series.end());
  return with_drawable_scales(all);
}

class FacetsDrawing {
 public:
  FacetsDrawing(const Facets& facets, const PictureStyle& style)
      : facets_(facets), style_(style), legend_(Legend::beside({}, style.font_size)) {
    frames();
    lay_out();
  }

  std::string draw() {
    svg_.open_picture(style_.width, height_, style_.font_size, facets_.title, description());
    Headings(facets_.title, subtitle(), style_).draw(svg_);
    for (std::size_t i = 0; i < facets_.panels.size(); ++i) panel(i);
    if (!wrapped()) {
      for (std::size_t c = 0; c < facets_.columns.size(); ++c)
        heading(name_of_column(c), (left(c) + right(c)) / 2, top(0) - em(8));
      for (std::size_t r = 0; r < facets_.rows.size() && !facets_.rows_are_axes; ++r)
        sideways(facets_.rows[r], right(in_row_ - 1) + em(14), (top(r) + bottom(r)) / 2, true);
    }
    label_of_x();
    legend_.draw(svg_, em(kEdge), legend_y_);
    svg_.close();
    return svg_.str();
  }

 private:
  bool wrapped() const { return facets_.rows.empty(); }
  std::size_t place_column(const Panel& p) const {
    return wrapped() ? p.column % in_row_ : p.column;
  }
  std::size_t place_row(const Panel& p) const { return wrapped() ? p.column / in_row_ : p.row; }
  double em(double of_twelve) const { return of_twelve * style_.font_size / 12; }

  /// The data that each axis shows.
  void frames() {
    std::vector<const Chart*> all;
    std::map<std::string, std::vector<const Chart*>> by_y;
    for (const auto& panel : facets_.panels) {
      all.push_back(&panel.chart);
      by_y[panel.chart.y.label].push_back(&panel.chart);
    }
    for_x_ = all_series(all);
    for (const auto& [label, charts] : by_y) for_y_.emplace(label, all_series(charts));
  }

  void lay_out() {
    const auto columns = facets_.columns.size();
    in_row_ = columns;
    if (wrapped() && columns > kMostInRow) {
      const auto rows = (columns + kMostInRow - 1) / kMostInRow;
      in_row_ = (columns + rows - 1) / rows;
    }
    rows_ = wrapped() ? (columns + in_row_ - 1) / in_row_ : facets_.rows.size();
    gutters_.assign(in_row_, em(kBetweenPanels));
    for (const auto& panel : facets_.panels) {
      const auto column = place_column(panel);
      if (!has_y_ticks(panel)) continue;
      double ticks = 0;
      const auto layout = layout_of(panel);
      for (const auto& tick : layout.y().ticks())
        ticks = std::max(ticks, text_width(tick.label, style_.font_size));
      gutters_[column] = std::max(gutters_[column],
                                  ticks + em(8) + em(column == 0 ? 7 : kBetweenPanels) +
                                      (facets_.columns_are_axes ? 0 : em(kPanelLabel + 3)));
    }
    const double side = wrapped() || facets_.rows_are_axes ? 0 : em(20);
    const auto width_for = [&](double width) {
      double left = width - 2 * em(kEdge) - side - em(4);
      for (const double gutter : gutters_) left -= gutter;
      return left / static_cast<double>(in_row_);
    };
    style_.width = std::max(
        style_.width,
        style_.width + (em(kLeastPanel) - width_for(style_.width)) * static_cast<double>(in_row_));
    panel_width_ = width_for(style_.width);
    panel_height_ = std::max(em(90), kPanelShape * panel_width_);
    top_ = Headings(facets_.title, subtitle(), style_).bottom() + em(kPanelHeading - 6);
    pitch_ = panel_height_ + (wrapped() ? em(kPanelHeading + 10) : em(kBetweenPanels));
    const double ends = bottom(rows_ - 1) + em(24) + tick_lines() * em(kLineHeight);
    x_label_y_ = ends;
    Chart all = for_x_;
    all.band = facets_.band;
    all.references.clear();
    unique_names(all);
    auto entries = legend_entries(all, [](const Reference&) { return true; });
    legend_ = Legend::below(std::move(entries), style_.font_size, style_.width - 2 * em(kEdge));
    legend_y_ = ends + em(20);
    height_ = legend_y_ + legend_.height() + em(8);
  }

  double tick_lines() const {
    std::size_t most = 1;
    for (const auto& panel : facets_.panels)
      most = std::max(most, layout_of(panel).most_tick_lines());
    return static_cast<double>(most);
  }

  static void unique_names(Chart& chart) {
    std::set<std::string> seen;
    std::erase_if(chart.series, [&](const Series& s) { return !seen.insert(s.label).second; });
  }

  double left(std::size_t column) const {
    double x = em(kEdge);
    for (std::size_t c = 0; c <= column; ++c) x += gutters_[c] + (c > 0 ? panel_width_ : 0);
    return x;
  }
  double right(std::size_t column) const { return left(column) + panel_width_; }
  double top(std::size_t row) const { return top_ + static_cast<double>(row) * pitch_; }
  double bottom(std::size_t row) const { return top(row) + panel_height_; }

  const Panel* at(std::size_t column, std::size_t row) const {
    for (const auto& panel : facets_.panels)
      if (place_column(panel) == column && place_row(panel) == row) return &panel;
    return nullptr;
  }

  /// With the unit, if it is that of an axis.
  std::string name_of_column(std::size_t column) const {
    if (facets_.columns_are_axes)
      for (const auto& panel : facets_.panels)
        if (panel.column == column) return layout_of(panel).y_name();
    return facets_.columns[column];
  }

  /// Where the panel to the left has another axis, or isn't there.
  bool has_y_ticks(const Panel& panel) const {
    const auto column = place_column(panel);
    if (column == 0) return true;
    const Panel* before = at(column - 1, place_row(panel));
    return before == nullptr || before->chart.y.label != panel.chart.y.label;
  }
  bool has_x_ticks(const Panel& panel) const {
    return at(place_column(panel), place_row(panel) + 1) == nullptr;
  }

  PanelFrame frame_of(const Panel& panel) const {
    const auto column = place_column(panel), row = place_row(panel);
    const bool laid_out = panel_width_ > 0;
    return {for_x_,
            for_y_.at(panel.chart.y.label),
            laid_out ? left(column) : 0,
            laid_out ? right(column) : em(kLeastPanel),
            laid_out ? top(row) : 0,
            laid_out ? bottom(row) : em(kLeastPanel),
            has_x_ticks(panel),
            has_y_ticks(panel)};
  }
  ChartLayout layout_of(const Panel& panel) const { return {panel.chart, style_, frame_of(panel)}; }

  void panel(std::size_t i) {
    const Panel& panel = facets_.panels[i];
    Chart chart = panel.chart;
    chart.id = fmt::format("{}-{}", facets_.id, i);
    const auto frame = frame_of(panel);
    draw_panel(svg_, chart, style_, frame);
    if (wrapped())
      heading(name_of_column(panel.column), (frame.left + frame.right) / 2, frame.top - em(8));
    if (!frame.y_ticks || facets_.columns_are_axes) return;
    const auto column = place_column(panel);
    const double x =
        frame.left - gutters_[column] + em(kPanelLabel) + (column == 0 ? 0 : em(kBetweenPanels));
    sideways(layout_of(panel).y_name(), x, (frame.top + frame.bottom) / 2, false);
  }

  /// Shortened to its panel.
  void heading(const std::string& text, double x, double y) {
    svg_.text("text",
              {{"x", svg_number(x)},
               {"y", svg_number(y)},
               {"text-anchor", "middle"},
               {"font-weight", "bold"}},
              text_lines(text, 1.1 * style_.font_size, panel_width_).front());
  }

  void sideways(const std::string& text, double x, double y, bool bold) {
    const auto lines = text_lines(text, em(kPanelLabel), panel_height_ * 1.25);
    svg_.text("text",
              {{"x", svg_number(x)},
               {"y", svg_number(y)},
               {"text-anchor", "middle"},
               {"font-size", svg_number(em(kPanelLabel))},
               {"font-weight", bold ? "bold" : "normal"},
               {"transform",
                fmt::format("rotate({} {} {})", bold ? 90 : -90, svg_number(x), svg_number(y))}},
              lines.front());
  }

  void label_of_x() {
    svg_.text("text",
              {{"x", svg_number((left(0) + right(in_row_ - 1)) / 2)},
               {"y", svg_number(x_label_y_)},
               {"text-anchor", "middle"},
               {"font-size", svg_number(em(kPanelLabel))}},
              layout_of(facets_.panels.front()).x_name());
  }

  std::string subtitle() const {
    return facets_.note.empty()
               ? facets_.subtitle
               : facets_.subtitle + (facets_.subtitle.empty() ? "" : "; ") + facets_.note;
  }

  std::string description() const {
    std::string text = fmt::format("{}. {}.", facets_.title, subtitle());
    for (const auto& panel : facets_.panels) {
      text += fmt::format(" {}{}{}:",
                          facets_.columns[panel.column],
                          wrapped() ? "" : ", ",
                          wrapped() ? "" : facets_.rows[panel.row]);
      for (const auto& series : panel.chart.series)
        if (!is_grey(series) && !series.points.empty())
          text += fmt::format(" {}: {:.5g} at {:.5g}.",
                              series.label,
                              series.points.back().y,
                              series.points.back().x);
    }
    return text;
  }

  const Facets& facets_;
  PictureStyle style_;
  Legend legend_;
  Svg svg_;
  Chart for_x_;
  std::map<std::string, Chart> for_y_;  // by its label
  std::size_t in_row_ = 1, rows_ = 1;
  std::vector<double> gutters_;  // to the left of each column
  double panel_width_ = 0, panel_height_ = 0, pitch_ = 0, top_ = 0;
  double x_label_y_ = 0, legend_y_ = 0, height_ = 0;
};

}  // namespace

Facets facets_of(std::vector<Panel> panels,
                 std::vector<std::string> columns,
                 std::vector<std::string> rows) {
  Facets facets;
  facets.columns = std::move(columns);
  facets.rows = std::move(rows);
  unite_names(panels);
  unite_scales(panels, &Chart::x);
  unite_scales(panels, &Chart::y);
  // One look for each name.
  const auto is_main = [](const Series& s) { return !is_grey(s) && !s.alone && !s.coloured; };
  Chart all;
  std::map<std::string, std::size_t> place;
  for (const auto& panel : panels)
    for (const auto& series : panel.chart.series)
      if (is_main(series) && place.try_emplace(series.label, all.series.size()).second) {
        all.series.push_back(series);
        all.series.back().style = all.series.size() - 1;
        all.series.back().marker.reset();
      }
  fold_legend(all);
  std::set<std::string> notes;
  for (auto& panel : panels) {
    std::map<std::size_t, std::size_t> style_of;  // by that in this chart
    for (auto& series : panel.chart.series) {
      if (!is_main(series)) continue;
      const Series& look = all.series[place.at(series.label)];
      style_of.emplace(series.style, look.style);
      series.style = look.style;
      series.marker = look.marker;
    }
    for (auto& series : panel.chart.series)
      if (!is_main(series) && style_of.contains(series.style))
        series.style = style_of.at(series.style);
    if (!panel.chart.references.empty()) notes.insert("bounds are not drawn");
    panel.chart.references.clear();
    if (!panel.chart.note.empty()) notes.insert(panel.chart.note);
    if (facets.band.empty()) facets.band = panel.chart.band;
  }
  facets.note = fmt::format("{}", fmt::join(notes, "; "));
  facets.panels = std::move(panels);
  return facets;
}

std::string to_svg(const Facets& facets, const PictureStyle& style) {
  return FacetsDrawing(facets, style).draw();
}

std::string to_csv(const Facets& facets) {
  std::string out;
  for (const auto& panel : facets.panels) {
    const auto text = to_csv(panel.chart);
    std::string_view rest = text;
    const auto place =
        fmt::format("{},{}",
                    csv_cell(facets.columns[panel.column]),
                    facets.rows.empty() ? std::string() : csv_cell(facets.rows[panel.row]));
    for (bool header = true; !rest.empty(); header = false) {
      const auto end = rest.find('\n');
      const auto line = rest.substr(0, end);
      rest.remove_prefix(std::min(rest.size(), end + 1));
      if (!header)
        out += fmt::format("{},{}\n", place, line);
      else if (out.empty())
        out += fmt::format("column,row,{}\n", line);
    }
  }
  return out;
}

Json facets_json(const Facets& facets) {
  Json json{{"id", facets.id},
            {"title", facets.title},
            {"subtitle", facets.subtitle},
            {"band", facets.band},
            {"note", facets.note},
            {"columns", facets.columns},
            {"rows", facets.rows},
            {"panels", Json::array()}};
  for (const auto& panel : facets.panels)
    json["panels"].push_back({{"column", panel.column},
                              {"row", panel.row},
                              {"chart", chart_json(with_drawable_scales(panel.chart))}});
  return json;
}

}  // namespace posse
