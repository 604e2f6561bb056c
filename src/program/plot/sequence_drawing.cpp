// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <string_view>
#include <tuple>

#include "core/role/outcome.hpp"
#include "program/plot/axis.hpp"
#include "program/plot/headings.hpp"
#include "program/plot/sequence.hpp"
#include "program/plot/svg.hpp"

namespace posse {
namespace {

constexpr std::string_view kWork = "#cfdbe6", kStop = "#f2b8ae", kGridLine = "#e4e4e4";
constexpr double kPictureWidth = 1180, kTextRow = 17;
constexpr double kPanel = 92, kPanelGap = 26;  // of a regret
constexpr double kHead = 7, kCross = 4;        // an arrow's head; half of a cross
constexpr double kUnderWay = 0.45;  // of the way: where copies end that are not there yet
constexpr double kCauseSize = 11;   // of the words beside crosses
constexpr double kBeforeLane = 6;   // where lost ones end

class SequenceDrawing {
 public:
  explicit SequenceDrawing(const Sequence& sequence)
      : sequence_(sequence),
        headings_(sequence.title, sequence.subtitle, {.width = kPictureWidth}) {
    prefix_ = unit_prefix("s", sequence.until);
    time_ = Axis::linear(
        sequence.from / prefix_.factor, sequence.until / prefix_.factor, Ends::tight, 10);
    for (const auto& type : sequence.types) styles_.try_emplace(type, styles_.size());
    for (const SequenceArrow& arrow : sequence.arrows)
      if (arrow.type != kAcknowledgement) styles_.try_emplace(arrow.type, styles_.size());
    estimate_flight();
    for (const SequenceCurve& curve : sequence.curves) panels_.push_back(axis_of(curve));
    lay_out();
  }

  std::string draw() {
    svg_.open_picture(kPictureWidth,
                      height_,
                      kSmallSize,
                      sequence_.title,
                      fmt::format("{}. {}.", sequence_.title, sequence_.subtitle));
    svg_.open("defs");
    svg_.open("clipPath", {{"id", "sequence-area"}});
    svg_.empty("rect", box(left_, 0, right_ - left_, height_));
    svg_.close();
    svg_.close();
    headings_.draw(svg_);
    legend();
    time_axis();
    lanes();
    svg_.open("g", {{"clip-path", "url(#sequence-area)"}});
    for (const SequenceBar& bar : sequence_.bars) draw_bar(bar);
    for (const SequenceRound& round : sequence_.rounds) draw_round_end(round);
    for (const SequenceArrow& arrow : sequence_.arrows) draw_arrow(arrow);
    svg_.close();
    round_names();
    for (std::size_t i = 0; i < panels_.size(); ++i) panel(i);
    svg_.close();
    return svg_.str();
  }

 private:
  /// How long copies that don't arrive are drawn: as long as others of their kind take.
  void estimate_flight() {
    std::map<std::string, std::pair<double, std::size_t>> sums;
    for (const SequenceArrow& arrow : sequence_.arrows)
      if (arrow.arrived)
        for (auto* sum : {&sums[arrow.type], &sums[""]}) {
          sum->first += *arrow.arrived - arrow.sent;
          ++sum->second;
        }
    for (const auto& [type, sum] : sums)
      flight_[type] = sum.first / static_cast<double>(sum.second);
  }
  double flight_of(const SequenceArrow& arrow) const {
    for (const auto& type : {arrow.type, std::string()})
      if (const auto it = flight_.find(type); it != flight_.end()) return it->second;
    return 0;
  }

  static Axis axis_of(const SequenceCurve& curve) {
    double high = 0, low = 0;
    for (const auto& [at, value] : curve.points) {
      high = std::max(high, value);
      low = std::min(low, value);
    }
    return Axis::linear(low, high, Ends::widened, 3);
  }

  void lay_out() {
    double labels = 0;
    for (const auto& name : sequence_.lanes)
      labels = std::max(labels, text_width(name, kSmallSize));
    for (const Axis& axis : panels_)
      for (const auto& tick : axis.ticks())
        labels = std::max(labels, text_width(tick.label, kSmallSize));
    left_ = kEdge + std::min(labels, 220.0) + 10;
    right_ = kPictureWidth - kEdge - 8;
    legend_top_ = headings_.bottom() + 6;
    make_legend();
    const auto count = static_cast<double>(sequence_.lanes.size());
    pitch_ = std::clamp(440 / std::max(count, 1.0), 22.0, 64.0);
    first_lane_ = legend_bottom_ + 30 + pitch_ / 2;
    lanes_end_ = first_lane_ + pitch_ * (count - 1) + pitch_ / 2;
    const auto panels = static_cast<double>(panels_.size());
    bottom_ = lanes_end_ + panels * (kPanel + kPanelGap);
    height_ = bottom_ + 58;
  }

  double x_at(double seconds) const {
    const double along = std::clamp(time_.position(seconds / prefix_.factor), -1.0, 2.0);
    return left_ + (right_ - left_) * along;
  }
  double lane_y(std::size_t lane) const { return first_lane_ + pitch_ * static_cast<double>(lane); }

  static Svg::Attributes box(double x, double y, double width, double height) {
    return {{"x", svg_number(x)},
            {"y", svg_number(y)},
            {"width", svg_number(width)},
            {"height", svg_number(height)}};
  }
  void line(double x1, double y1, double x2, double y2, Svg::Attributes more = {}) {
    Svg::Attributes all{{"x1", svg_number(x1)},
                        {"y1", svg_number(y1)},
                        {"x2", svg_number(x2)},
                        {"y2", svg_number(y2)}};
    all.insert(all.end(), more.begin(), more.end());
    svg_.empty("line", all);
  }
  void write(double x,
             double y,
             std::string_view text,
             std::string_view anchor = "start",
             std::string_view fill = kInk,
             double size = kSmallSize) {
    svg_.text("text",
              {{"x", svg_number(x)},
               {"y", svg_number(y)},
               {"text-anchor", std::string(anchor)},
               {"font-size", svg_number(size)},
               {"fill", std::string(fill)}},
              text);
  }

  // --- legend ---

  struct Entry {
    std::string text;
    std::function<void(double, double)> sample;  // drawn from x on, around y
    double x = 0, y = 0;
  };
  std::size_t count(const std::function<bool(const SequenceArrow&)>& which) const {
    return static_cast<std::size_t>(
        std::count_if(sequence_.arrows.begin(), sequence_.arrows.end(), which));
  }
  void make_legend() {
    const auto stroke = [this](const std::string& colour, bool dashed) {
      return [this, colour, dashed](double x, double y) { sample_line(x, y, colour, dashed); };
    };
    const auto add = [&](const std::string& what, std::size_t number, auto sample) {
      if (number > 0) legend_.push_back({fmt::format("{} ({})", what, number), sample});
    };
    std::vector<std::string> types(styles_.size());
    for (const auto& [type, style] : styles_) types[style] = type;
    types.emplace_back(kAcknowledgement);
    for (const auto& type : types)
      add(type,
          count([&](const auto& a) { return a.type == type; }),
          stroke(colour_of(type), false));
    add("sent again",
        count([](const auto& a) { return a.repeated; }),
        stroke(std::string(kInk), true));
    add("dropped",
        count([](const auto& a) { return a.outcome == MessageOutcome::dropped; }),
        [this](double x, double y) { cross(x + 13, y); });
    add("discarded by the receiver",
        count([](const auto& a) { return a.outcome == MessageOutcome::discarded; }),
        [this](double x, double y) { circle(x + 13, y, std::string(kInk)); });
    add("on the way at the end",
        count([](const auto& a) { return a.outcome == MessageOutcome::in_flight; }),
        [this](double x, double y) {
          line(x, y, x + 26, y, {{"stroke", std::string(kInk)}, {"stroke-dasharray", "1 3"}});
        });
    for (const bool stopped : {false, true})
      if (std::any_of(sequence_.bars.begin(), sequence_.bars.end(), [&](const auto& bar) {
            return bar.stopped == stopped;
          }))
        legend_.push_back({stopped ? "stands still" : "works", [this, stopped](double x, double y) {
                             swatch(x, y - 5, 26, 10, stopped);
                           }});
    double x = kEdge, y = legend_top_;
    for (Entry& entry : legend_) {
      const double width = 32 + 1.1 * text_width(entry.text, kSmallSize) + 20;
      if (x > kEdge && x + width > kPictureWidth - kEdge) {
        x = kEdge;
        y += kTextRow;
      }
      entry.x = x;
      entry.y = y;
      x += width;
    }
    legend_bottom_ = y;
  }
  void legend() {
    for (const Entry& entry : legend_) {
      entry.sample(entry.x, entry.y - 4);
      write(entry.x + 32, entry.y, entry.text);
    }
  }
  void sample_line(double x, double y, const std::string& colour, bool dashed) {
    Svg::Attributes more{{"stroke", colour}, {"stroke-width", "1.4"}};
    if (dashed) more.emplace_back("stroke-dasharray", "5 3");
    line(x, y, x + 26, y, more);
  }

  // --- lanes ---

  void time_axis() {
    for (const auto& tick : time_.ticks()) {
      if (tick.label.empty()) continue;
      const double x = left_ + (right_ - left_) * time_.position(tick.value);
      line(x, first_lane_ - pitch_ / 2, x, bottom_, {{"stroke", std::string(kGridLine)}});
      line(x, bottom_, x, bottom_ + 5, {{"stroke", std::string(kFaint)}});
      write(x, bottom_ + 19, tick.label, "middle");
    }
    line(left_, bottom_, right_, bottom_, {{"stroke", std::string(kFaint)}});
    write((left_ + right_) / 2,
          bottom_ + 42,
          fmt::format("virtual time ({})", prefix_.unit),
          "middle",
          kInk,
          13);
  }

  void lanes() {
    for (std::size_t lane = 0; lane < sequence_.lanes.size(); ++lane) {
      write(left_ - 10, lane_y(lane) + 4, sequence_.lanes[lane], "end");
      line(left_, lane_y(lane), right_, lane_y(lane), {{"stroke", "#b4b4b4"}});
    }
  }

  void swatch(double x, double y, double width, double height, bool stopped) {
    auto area = box(x, y, width, height);
    area.emplace_back("fill", std::string(stopped ? kStop : kWork));
    area.emplace_back("stroke", stopped ? "#b5483a" : "#8fa6ba");
    area.emplace_back("stroke-width", "0.6");
    svg_.empty("rect", area);
  }
  void draw_bar(const SequenceBar& bar) {
    const double height = std::min(12.0, pitch_ * 0.4);
    const double from = x_at(bar.from), until = x_at(bar.until);
    swatch(from, lane_y(bar.lane) - height / 2, std::max(until - from, 0.6), height, bar.stopped);
  }

  void draw_round_end(const SequenceRound& round) {
    if (round.ended > sequence_.until) return;
    line(x_at(round.ended),
         first_lane_ - pitch_ / 2 - 14,
         x_at(round.ended),
         bottom_,
         {{"stroke", std::string(kFaint)}, {"stroke-width", "0.8"}, {"stroke-dasharray", "2 3"}});
  }
  void round_names() {
    double free_from = left_;
    for (const SequenceRound& round : sequence_.rounds) {
      const double from = std::max(x_at(round.began), left_);
      const double until = std::min(x_at(round.ended), right_);
      for (const auto& text :
           {fmt::format("round {}", round.round), fmt::format("{}", round.round)}) {
        const double half = text_width(text, kSmallSize) / 2, middle = (from + until) / 2;
        if (2 * half + 4 > until - from || middle - half < free_from) continue;
        write(middle, first_lane_ - pitch_ / 2 - 5, text, "middle", kFaint);
        free_from = middle + half + 4;
        break;
      }
    }
  }

  // --- arrows ---

  std::string colour_of(const std::string& type) const {
    const auto style = styles_.find(type);
    if (style == styles_.end()) return std::string(kAckColour);
    return std::string(kMessageColours[style->second % kMessageColours.size()]);
  }

  void draw_arrow(const SequenceArrow& arrow) {
    const auto colour = colour_of(arrow.type);
    const double x1 = x_at(arrow.sent), y1 = lane_y(arrow.from), y2 = lane_y(arrow.to);
    svg_.open("g", {{"class", "message " + std::string(to_string(arrow.outcome))}});
    svg_.text("title", {}, words_of(arrow));
    Svg::Attributes more{{"stroke", colour},
                         {"stroke-width", arrow.type == kAcknowledgement ? "0.8" : "1.4"}};
    if (arrow.repeated) more.emplace_back("stroke-dasharray", "5 3");
    if (arrow.arrived) {
      const double x2 = x_at(*arrow.arrived);
      line(x1, y1, x2, y2, more);
      if (arrow.outcome == MessageOutcome::discarded)
        circle(x2, y2, colour);
      else
        head(x1, y1, x2, y2, colour);
    } else {
      // Lost ones end at their receiver's lane, when they would have arrived.
      const bool lost = arrow.outcome == MessageOutcome::dropped;
      const double way = !lost                                 ? kUnderWay
                         : std::abs(y2 - y1) > 3 * kBeforeLane ? 1 - kBeforeLane / std::abs(y2 - y1)
                                                               : 1;
      const double x2 = x1 + (x_at(arrow.sent + flight_of(arrow)) - x1) * way;
      const double end = y1 + (y2 - y1) * way;
      if (arrow.outcome == MessageOutcome::in_flight && !arrow.repeated)
        more.emplace_back("stroke-dasharray", "1 3");
      line(x1, y1, x2, end, more);
      if (lost) {
        cross(x2, end);
        write_cause(x2 + 7, end + 4, to_string(arrow.cause));
      }
    }
    svg_.close();
  }

  /// Where none was written before.
  void write_cause(double x, double y, std::string_view cause) {
    const double width = text_width(cause, kCauseSize);
    if (x + width > right_) x -= width + 14;
    for (const auto& [from, to, base] : causes_)
      if (std::abs(base - y) < kCauseSize && from < x + width + 4 && x < to + 4) return;
    causes_.emplace_back(x, x + width, y);
    write(x, y, cause, "start", kDropColour, kCauseSize);
  }

  std::string words_of(const SequenceArrow& arrow) const {
    auto text = fmt::format("{} of round {} from {} to {}, {} bytes, sent at {} s, ",
                            arrow.type,
                            arrow.round,
                            sequence_.lanes[arrow.from],
                            sequence_.lanes[arrow.to],
                            arrow.bytes,
                            arrow.sent);
    if (arrow.arrived)
      text += fmt::format("{} at {} s", to_string(arrow.outcome), *arrow.arrived);
    else if (arrow.outcome == MessageOutcome::dropped)
      text += fmt::format("dropped ({})", to_string(arrow.cause));
    else
      text += "on the way at the end";
    return arrow.repeated ? text + "; sent before" : text;
  }

  void head(double x1, double y1, double x2, double y2, const std::string& colour) {
    const double length = std::sqrt((x2 - x1) * (x2 - x1) + (y2 - y1) * (y2 - y1));
    if (length < 1) return;
    const double dx = (x2 - x1) / length * kHead, dy = (y2 - y1) / length * kHead;
    constexpr double kSlim = 0.42;
    svg_.empty("polygon",
               {{"points",
                 fmt::format("{},{} {},{} {},{}",
                             svg_number(x2),
                             svg_number(y2),
                             svg_number(x2 - dx - dy * kSlim),
                             svg_number(y2 - dy + dx * kSlim),
                             svg_number(x2 - dx + dy * kSlim),
                             svg_number(y2 - dy - dx * kSlim))},
                {"fill", colour}});
  }
  void cross(double x, double y) {
    for (const double sign : {-1.0, 1.0})
      line(x - kCross,
           y - sign * kCross,
           x + kCross,
           y + sign * kCross,
           {{"stroke", std::string(kDropColour)}, {"stroke-width", "2"}});
  }
  void circle(double x, double y, const std::string& colour) {
    svg_.empty("circle",
               {{"cx", svg_number(x)},
                {"cy", svg_number(y)},
                {"r", "3"},
                {"fill", std::string(kGround)},
                {"stroke", colour}});
  }

  // --- regret ---

  void panel(std::size_t i) {
    const SequenceCurve& curve = sequence_.curves[i];
    const Axis& axis = panels_[i];
    const double top = lanes_end_ + static_cast<double>(i) * (kPanel + kPanelGap) + kPanelGap;
    const auto y_at = [&](double value) { return top + kPanel * (1 - axis.position(value)); };
    for (const auto& tick : axis.ticks()) {
      line(left_, y_at(tick.value), right_, y_at(tick.value), {{"stroke", std::string(kGridLine)}});
      if (!tick.label.empty()) write(left_ - 8, y_at(tick.value) + 4, tick.label, "end");
    }
    write(left_, top - 7, curve.name);
    std::string path;
    for (const auto& [at, value] : curve.points)
      path += fmt::format(
          "{}{} V{}",
          path.empty() ? fmt::format("M{} {} H", svg_number(x_at(at)), svg_number(y_at(value)))
                       : " H",
          svg_number(x_at(at)),
          svg_number(y_at(value)));
    path += fmt::format(" H{}", svg_number(right_));
    svg_.empty("path",
               {{"d", path},
                {"fill", "none"},
                {"stroke", std::string(kInk)},
                {"stroke-width", "1.6"},
                {"clip-path", "url(#sequence-area)"}});
  }

  const Sequence& sequence_;
  Svg svg_;
  UnitPrefix prefix_;
  Axis time_;
  std::map<std::string, std::size_t> styles_;  // by type, in the order of first use
  std::map<std::string, double> flight_;       // mean, in virtual seconds; "": of all types
  std::vector<Axis> panels_;
  std::vector<Entry> legend_;
  Headings headings_;
  std::vector<std::tuple<double, double, double>> causes_;  // written: from, to, at which height
  double left_ = 0, right_ = 0, legend_top_ = 0, legend_bottom_ = 0, pitch_ = 0, first_lane_ = 0,
         lanes_end_ = 0, bottom_ = 0, height_ = 0;
};

}  // namespace

std::string to_svg(const Sequence& sequence) { return SequenceDrawing(sequence).draw(); }

}  // namespace posse
