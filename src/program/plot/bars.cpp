// SPDX-License-Identifier: Apache-2.0
#include "program/plot/bars.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/network/network.hpp"
#include "program/base/csv.hpp"
#include "program/base/text.hpp"
#include "program/plot/axis.hpp"
#include "program/plot/headings.hpp"
#include "program/plot/kinds.hpp"
#include "program/scenario/catalog.hpp"

namespace posse {
namespace {

struct PartOfLedger {
  std::string_view label;
  double strength;
  bool dropped;
  double (*of)(const LedgerRow&);
};
struct BarKind {
  std::string_view kind, title, label, unit, name, summary;
  std::vector<PartOfLedger> parts;
};

const std::vector<BarKind>& all_bars() {
  using R = LedgerRow;
  static const std::vector<BarKind> all{
      {"bytes-by-type",
       "Bytes on the wire, by type of message",
       "bytes on the wire",
       "bytes",
       "wire_bytes",
       "bytes on the wire by type and direction of the messages, as bars",
       {{"payload, first transmissions",
         1,
         false,
         [](const R& r) { return r.bytes - r.header_bytes; }},
        {"headers, first transmissions", 0.6, false, [](const R& r) { return r.header_bytes; }},
        {"retransmissions and duplicates",
         0.3,
         false,
         [](const R& r) { return std::max(0.0, r.wire_bytes - r.bytes); }}}},
      {"messages-by-type",
       "Messages and further copies, by type",
       "messages and further copies",
       "",
       "copies",
       "messages and their further copies by type and direction, as bars",
       {{"messages", 1, false, [](const R& r) { return r.sent; }},
        {"retransmissions", 0.6, false, [](const R& r) { return r.retransmitted; }},
        {"duplicates made by the network", 0.3, false, [](const R& r) { return r.duplicated; }}}},
      {"values-by-type",
       "Values sent, by type of message",
       "values",
       "",
       "values",
       "numbers in messages by type and direction, as papers count them, as bars",
       {{"values (numbers in messages, as the papers count them)",
         1,
         false,
         [](const R& r) { return r.values; }}}},
      {"fates-by-type",
       "What became of all copies, by type of message",
       "copies",
       "",
       "copies",
       "what became of all copies by type and direction of the messages, as bars",
       {{"delivered", 1, false, [](const R& r) { return r.delivered; }},
        {"discarded as duplicates", 0.6, false, [](const R& r) { return r.discarded; }},
        {"in flight", 0.3, false, [](const R& r) { return r.in_flight; }},
        {"lost", 1, true, [](const R& r) { return r.lost; }},
        {"dropped by full queues", 0.75, true, [](const R& r) { return r.dropped_by_queues; }},
        {"dropped by a partition", 0.5, true, [](const R& r) { return r.dropped_by_partitions; }},
        {"dropped at crashed nodes", 0.3, true, [](const R& r) { return r.dropped_at_crashed; }}}}};
  return all;
}

std::string_view arrow_of(std::string_view direction) {
  if (direction == "up") return "↑";
  if (direction == "down") return "↓";
  return direction == "peer" ? "↔" : direction;
}

/// Acknowledgements are all headers.
LedgerRow counted(LedgerRow row) {
  if (row.type == kAcknowledgement) row.header_bytes = row.bytes;
  return row;
}

/// The colours of the types: in the order of the algorithms, of those that some bar has.
void set_styles(const RunData& run, std::vector<Bars::Bar>& bars) {
  std::vector<const AlgorithmSpec*> specs;
  for (const auto& algorithm : run.algorithms) specs.push_back(find_algorithm(algorithm.kind));
  std::vector<std::string_view> types = message_types(specs);
  std::erase_if(types, [&](std::string_view type) {
    return std::ranges::find(bars, type, &Bars::Bar::type) == bars.end();
  });
  for (auto& bar : bars) {
    if (bar.type == kAcknowledgement) continue;
    auto place = std::ranges::find(types, bar.type);
    if (place == types.end()) place = types.insert(place, bar.type);
    bar.style = static_cast<std::size_t>(place - types.begin());
  }
}

std::string colour_of_bar(const Bars::Bar& bar) {
  return std::string(bar.style ? kMessageColours[*bar.style % kMessageColours.size()] : kAckColour);
}

/// "means over 5 repetitions"; an algorithm of which no run has finished is named.
std::string runs_text(const RunData& run, const std::vector<MeanLedger>& means) {
  std::size_t least = 0, most = 0;
  std::string others;
  for (std::size_t a = 0; a < means.size(); ++a) {
    const auto runs = means[a].runs;
    if (runs == 0) continue;
    if (!means[a].finished) {
      others += fmt::format("; {}: none has finished, {} so far",
                            run.algorithms[a].label,
                            runs == 1 ? "one run" : fmt::format("means of {} runs", runs));
      continue;
    }
    least = least == 0 ? runs : std::min(least, runs);
    most = std::max(most, runs);
  }
  if (most == 0) return others.empty() ? "no run" : others.substr(2);
  if (most == 1) return "one repetition" + others;
  return fmt::format("means over {} repetitions{}",
                     least == most ? fmt::format("{}", most) : fmt::format("{} to {}", least, most),
                     others);
}

class BarsDrawing {
 public:
  BarsDrawing(const Bars& bars, const PictureStyle& style)
      : bars_(bars), style_(style), headings_(bars.title, bars.subtitle, style) {
    for (std::size_t i = 0; i < bars.bars.size(); ++i) most_ = std::max(most_, total(i));
    prefix_ = unit_prefix(bars.axis.unit, most_);
    axis_ = Axis::linear(0, most_ > 0 ? most_ / prefix_.factor : 1);
    lay_out();
  }

  std::string draw() {
    svg_.open_picture(style_.width,
                      height_,
                      style_.font_size,
                      bars_.title,
                      fmt::format("{}. {}.", bars_.title, bars_.subtitle));
    headings_.draw(svg_);
    for (const auto& tick : axis_.ticks()) {
      if (tick.label.empty()) continue;
      const double x = left_ + (right_ - left_) * axis_.position(tick.value);
      svg_.empty("line",
                 {{"x1", num(x)},
                  {"x2", num(x)},
                  {"y1", num(top_)},
                  {"y2", num(bottom_)},
                  {"stroke", std::string(kGrid)}});
      svg_.write(x, bottom_ + em(17), tick.label, "middle", kInk);
    }
    for (std::size_t i = 0; i < bars_.bars.size(); ++i) draw_bar(i);
    const auto unit = prefix_.unit.empty() ? "" : fmt::format(" ({})", prefix_.unit);
    svg_.write((left_ + right_) / 2, bottom_ + em(38), bars_.axis.label + unit, "middle", kInk);
    draw_legend();
    svg_.close();
    return svg_.str();
  }

 private:
  double em(double of_twelve) const { return of_twelve * style_.font_size / 12; }
  static std::string num(double value) { return svg_number(value); }

  double total(std::size_t bar) const {
    double sum = 0;
    for (const auto& part : bars_.parts) sum += part.values[bar];
    return sum;
  }

  void lay_out() {
    double names = 0;
    for (const auto& bar : bars_.bars)
      names = std::max(names, text_width(bar.label, style_.font_size));
    left_ = em(kEdge) + std::min(names, 0.45 * style_.width) + em(8);
    right_ = style_.width - em(kEdge) - em(14);
    top_ = headings_.bottom();
    bottom_ = top_ + static_cast<double>(bars_.bars.size()) * em(kRow) + em(4);
    double shown = 0;
    for (const auto& part : bars_.parts) shown += is_shown(part) ? 1 : 0;
    height_ = bottom_ + em(50) + shown * em(kLineHeight) + em(8);
  }

  static bool is_shown(const Bars::Part& part) {
    return std::ranges::any_of(part.values, [](double value) { return value > 0; });
  }

  void draw_bar(std::size_t bar) {
    const double y = top_ + static_cast<double>(bar) * em(kRow) + em(4);
    svg_.write(left_ - em(8), y + em(13), bars_.bars[bar].label, "end", kInk);
    const auto colour = colour_of_bar(bars_.bars[bar]);
    double from = 0;
    for (const auto& part : bars_.parts) {
      if (!(part.values[bar] > 0)) continue;
      const double to = from + part.values[bar];
      const auto at = [&](double value) {
        return left_ + (right_ - left_) * axis_.position(value / prefix_.factor);
      };
      svg_.empty("rect",
                 {{"x", num(at(from))},
                  {"y", num(y)},
                  {"width", num(at(to) - at(from))},
                  {"height", num(em(kRow - 6))},
                  {"fill", part.dropped ? std::string(kDropColour) : colour},
                  {"fill-opacity", num(part.strength)}});
      from = to;
    }
  }

  void draw_legend() {
    double y = bottom_ + em(58);
    for (const auto& part : bars_.parts) {
      if (!is_shown(part)) continue;
      svg_.empty("rect",
                 {{"x", num(left_)},
                  {"y", num(y - em(9))},
                  {"width", num(em(18))},
                  {"height", num(em(10))},
                  {"fill", std::string(part.dropped ? kDropColour : kInk)},
                  {"fill-opacity", num(part.strength)}});
      svg_.write(left_ + em(26), y, part.label, "start", kInk);
      y += em(kLineHeight);
    }
  }

  static constexpr double kRow = 24;
  const Bars& bars_;
  PictureStyle style_;
  double most_ = 0;
  UnitPrefix prefix_;
  Axis axis_;
  double left_ = 0, right_ = 0, top_ = 0, bottom_ = 0, height_ = 0;
  Headings headings_;
  Svg svg_;
};

}  // namespace

const std::vector<PlotKind>& bar_kinds() {
  static const std::vector<PlotKind> all = [] {
    std::vector<PlotKind> list;
    for (const auto& kind : all_bars())
      list.push_back({std::string(kind.kind), std::string(kind.summary)});
    return list;
  }();
  return all;
}

MaybeBars make_bars(const RunData& run, const std::string& name) {
  const auto kind = std::ranges::find(all_bars(), name, &BarKind::kind);
  Bars bars;
  bars.id = name;
  bars.title = kind->title;
  bars.axis = {std::string(kind->label), std::string(kind->unit), std::string(kind->name)};
  for (const auto& part : kind->parts)
    bars.parts.push_back({std::string(part.label), part.strength, part.dropped});
  std::vector<MeanLedger> means;
  for (const auto& algorithm : run.algorithms) means.push_back(mean_ledger(algorithm));
  bars.note = runs_text(run, means);
  bars.subtitle = fmt::format(
      "{}; {}; ↑ to the hub, ↓ from it, ↔ between others", problem_text(run), bars.note);
  for (std::size_t a = 0; a < run.algorithms.size(); ++a)
    for (const auto& account : means[a].rows) {
      const LedgerRow row = counted(account);
      const auto what = fmt::format("{} {}", row.type, arrow_of(row.direction));
      bars.bars.push_back(
          {run.algorithms.size() > 1 ? run.algorithms[a].label + " · " + what : what,
           a,
           row.type,
           row.direction});
      for (std::size_t p = 0; p < kind->parts.size(); ++p)
        bars.parts[p].values.push_back(kind->parts[p].of(row));
    }
  if (bars.bars.empty()) return std::string("needs runs that send messages");
  set_styles(run, bars.bars);
  return bars;
}

std::string to_svg(const Bars& bars, const PictureStyle& style) {
  return BarsDrawing(bars, style).draw();
}

std::string to_csv(const Bars& bars) {
  std::string out = "bar,type,direction";
  for (const auto& part : bars.parts) out += "," + csv_cell(part.label);
  out += "\n";
  for (std::size_t i = 0; i < bars.bars.size(); ++i) {
    const auto& bar = bars.bars[i];
    out += fmt::format("{},{},{}", csv_cell(bar.label), csv_cell(bar.type), bar.direction);
    for (const auto& part : bars.parts) out += fmt::format(",{}", part.values[i]);
    out += "\n";
  }
  return out;
}

Json bars_json(const Bars& bars) {
  Json json{
      {"id", bars.id},
      {"title", bars.title},
      {"subtitle", bars.subtitle},
      {"note", bars.note},
      {"axis", {{"label", bars.axis.label}, {"unit", bars.axis.unit}, {"name", bars.axis.name}}},
      {"bars", Json::array()},
      {"parts", Json::array()}};
  for (const auto& bar : bars.bars)
    json["bars"].push_back({{"label", bar.label},
                            {"algorithm", bar.algorithm},
                            {"type", bar.type},
                            {"style", bar.style ? Json(*bar.style) : Json(nullptr)}});
  for (const auto& part : bars.parts)
    json["parts"].push_back({{"label", part.label},
                             {"strength", part.strength},
                             {"dropped", part.dropped},
                             {"values", part.values}});
  return json;
}

}  // namespace posse
