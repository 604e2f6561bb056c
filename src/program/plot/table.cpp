// SPDX-License-Identifier: Apache-2.0
#include "program/plot/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "program/plot/headings.hpp"
#include "program/plot/svg.hpp"

namespace posse {
namespace {

constexpr std::string_view kRule = "#9a9a9a";
constexpr double kSize = 13;
constexpr double kRow = 24, kGap = 28;  // between columns
constexpr double kNarrowest = 480;

class TableDrawing {
 public:
  explicit TableDrawing(const PictureTable& table) : table_(table) {
    widths_.resize(table.headings.size());
    const auto widen = [&](const std::vector<std::string>& cells) {
      for (std::size_t c = 0; c < widths_.size(); ++c)
        widths_[c] = std::max(widths_[c], text_width(cells[c], kSize));
    };
    widen(table.headings);
    for (const auto& row : table.rows) widen(row);
    double all = 2 * kEdge - kGap;
    for (const auto width : widths_) all += width + kGap;
    width_ = std::max(all, kNarrowest);
    headings_ = {table.title, table.subtitle, {.width = width_}};
    top_ = headings_.bottom() + 12;
  }

  std::string draw() {
    const double height = top_ + kRow * static_cast<double>(table_.rows.size() + 1) + kEdge;
    svg_.open_picture(
        width_, height, kSize, table_.title, fmt::format("{}. {}", table_.title, table_.subtitle));
    headings_.draw(svg_);
    row(top_, table_.headings, true);
    rule(top_ + 7);
    for (std::size_t r = 0; r < table_.rows.size(); ++r)
      row(top_ + kRow * static_cast<double>(r + 1), table_.rows[r], false);
    rule(top_ + kRow * static_cast<double>(table_.rows.size()) + 7);
    svg_.close();
    return svg_.str();
  }

 private:
  void write(double x, double y, std::string_view text, Svg::Attributes attributes) {
    attributes.insert(attributes.begin(), {{"x", svg_number(x)}, {"y", svg_number(y)}});
    svg_.text("text", attributes, text);
  }

  void row(double y, const std::vector<std::string>& cells, bool heading) {
    double x = kEdge;
    for (std::size_t c = 0; c < widths_.size(); ++c) {
      Svg::Attributes attributes;
      if (heading) attributes.emplace_back("font-weight", "bold");
      if (c > 0) attributes.emplace_back("text-anchor", "end");
      write(c == 0 ? x : x + widths_[c], y, cells[c], attributes);
      x += widths_[c] + kGap;
    }
  }

  void rule(double y) {
    double right = kEdge - kGap;
    for (const auto width : widths_) right += width + kGap;
    svg_.empty("line",
               {{"x1", svg_number(kEdge)},
                {"y1", svg_number(y)},
                {"x2", svg_number(right)},
                {"y2", svg_number(y)},
                {"stroke", std::string(kRule)}});
  }

  const PictureTable& table_;
  Svg svg_;
  std::vector<double> widths_;
  Headings headings_{"", "", {}};
  double width_ = 0, top_ = 0;
};

}  // namespace

std::string to_svg(const PictureTable& table) { return TableDrawing(table).draw(); }

}  // namespace posse
