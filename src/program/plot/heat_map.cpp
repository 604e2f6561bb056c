// SPDX-License-Identifier: Apache-2.0
#include "program/plot/heat_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "core/base/math.hpp"
#include "program/base/csv.hpp"
#include "program/base/table_json.hpp"
#include "program/base/text.hpp"
#include "program/compare/comparison.hpp"
#include "program/plot/headings.hpp"
#include "program/plot/setting_axis.hpp"
#include "program/plot/sweep_charts.hpp"

namespace posse {
namespace {

struct Colour {
  double red = 0, green = 0, blue = 0;
};
// Viridis (van der Walt and Smith 2015), from small to large; and from blue over white to orange.
constexpr std::array<Colour, 5> kSequential{
    {{68, 1, 84}, {59, 82, 139}, {33, 145, 140}, {94, 201, 98}, {253, 231, 37}}};
constexpr std::array<Colour, 3> kDiverging{{{0, 114, 178}, {247, 247, 247}, {213, 94, 0}}};

template <std::size_t N>
Colour between(const std::array<Colour, N>& colours, double share) {
  const double at = std::clamp(share, 0.0, 1.0) * static_cast<double>(N - 1);
  const auto i = std::min(static_cast<std::size_t>(at), N - 2);
  const double part = at - static_cast<double>(i);
  const auto mix = [&](double Colour::*of) {
    return colours[i].*of + part * (colours[i + 1].*of - colours[i].*of);
  };
  return {mix(&Colour::red), mix(&Colour::green), mix(&Colour::blue)};
}
std::string text_of(const Colour& c) {
  const auto hex = [](double x) { return static_cast<int>(std::lround(x)); };
  return fmt::format("#{:02x}{:02x}{:02x}", hex(c.red), hex(c.green), hex(c.blue));
}
bool is_dark(const Colour& c) { return 0.299 * c.red + 0.587 * c.green + 0.114 * c.blue < 140; }

/// Positions of a key's values in ascending order, with their names.
struct Steps {
  std::vector<double> values;
  std::vector<std::string> names;
  std::size_t position(double value) const {
    return static_cast<std::size_t>(std::find(values.begin(), values.end(), value) -
                                    values.begin());
  }
};
Steps steps_of(const Study& study, const SettingAxis& axis, const std::string& key) {
  std::map<double, std::string> names;
  for (std::size_t s = 0; s < study.keys.size(); ++s)
    if (axis.at[s]) names.emplace(*axis.at[s], study.keys[s].at(key));
  Steps steps;
  for (const auto& [value, name] : names) {
    steps.values.push_back(value);
    steps.names.push_back(name);
  }
  return steps;
}

/// Keys besides two in which the settings differ.
std::set<std::string> others_than(const Study& study, const std::string& x, const std::string& y) {
  std::map<std::string, std::set<std::string>> values;
  for (const auto& setting : study.keys)
    for (const auto& [key, value] : setting) values[key].insert(value);
  for (const auto& dimension : {x, y}) {
    values.erase(dimension);
    for (const auto& key : keys_in_step(study.keys, dimension)) values.erase(key);
  }
  std::set<std::string> keys;
  for (const auto& [key, seen] : values)
    if (seen.size() > 1) keys.insert(key);
  return keys;
}

std::string number_text(double value, bool is_ratio) {
  if (is_ratio) return fmt::format("{:.3g}×", value);
  return std::abs(value) >= 1e5 || (value != 0 && std::abs(value) < 1e-3)
             ? fmt::format("{:.2e}", value)
             : fmt::format("{}", rounded(value, 3));
}

/// How far values go, and whether colours follow their logarithms.
struct ColourScale {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  bool logarithmic = false, diverging = false;

  explicit ColourScale(const HeatMap& map) : diverging(map.is_ratio) {
    for (const auto& row : map.at)
      for (const auto& value : row)
        if (value) {
          low = std::min(low, *value);
          high = std::max(high, *value);
        }
    logarithmic = low > 0 && (diverging || high > 10 * low);
    if (diverging && logarithmic) {
      high = std::max({high, 1 / low, 2.0});  // a few per cent stay pale
      low = 1 / high;
    }
  }
  double share(double value) const {
    if (!(high > low)) return 0.5;
    return logarithmic ? math::log(value / low) / math::log(high / low)
                       : (value - low) / (high - low);
  }
  double value(double share) const {
    return logarithmic ? low * math::pow(high / low, share) : low + share * (high - low);
  }
  Colour colour(double at) const {
    return diverging ? between(kDiverging, at) : between(kSequential, at);
  }
};

}  // namespace

MaybeHeatMap heat_map(const Study& study,
                      const std::string& x,
                      const std::string& y,
                      std::size_t quantity,
                      std::size_t algorithm,
                      std::optional<std::size_t> against) {
  if (const auto others = others_than(study, x, y); !others.empty())
    return fmt::format(
        "needs settings that differ in {} and {} only, but these differ in {}, too; "
        "--where KEY=VALUE chooses among them",
        x,
        y,
        fmt::join(others, ", "));
  const auto x_axis = setting_axis(study, x), y_axis = setting_axis(study, y);
  const auto columns = steps_of(study, x_axis, x), rows = steps_of(study, y_axis, y);
  const Quantity& measure = quantity_at(quantity);
  HeatMap map;
  map.id = plot_id("heat-map", measure);
  map.is_ratio = against.has_value();
  map.title = fmt::format("{}, {}", study.algorithms[algorithm], measure.label);
  if (against)
    map.title = fmt::format(
        "{}: {} over {}", measure.label, study.algorithms[algorithm], study.algorithms[*against]);
  map.title = capitalized(map.title);
  map.x_label = x_axis.spec.label;
  map.y_label = y_axis.spec.label;
  map.columns = columns.names;
  map.rows = rows.names;
  map.at.assign(rows.names.size(),
                std::vector<std::optional<double>>(columns.names.size(), std::nullopt));
  map.uncertain.assign(rows.names.size(), std::vector<bool>(columns.names.size(), false));
  map.csv = fmt::format("{},{},{},low,high,repetitions\n",
                        csv_cell(x_axis.spec.name),
                        csv_cell(y_axis.spec.name),
                        map.is_ratio ? "ratio" : std::string(measure.name));
  bool any = false, unsure = false;
  for (std::size_t s = 0; s < study.settings.size(); ++s) {
    const auto* cell = study.find(s, algorithm);
    if (cell == nullptr || !x_axis.at[s] || !y_axis.at[s]) continue;
    const auto row = rows.position(*y_axis.at[s]), column = columns.position(*x_axis.at[s]);
    std::optional<double> value;
    std::optional<Interval> interval;
    std::size_t repetitions = 0;
    if (against) {
      const auto* other = study.find(s, *against);
      const auto effect = other == nullptr ? std::nullopt : effect_of(*cell, *other, quantity);
      if (!effect || !effect->ratio) continue;
      value = effect->ratio->value;
      interval = effect->ratio->interval;
      repetitions = effect->difference.n;
      const bool sure = effect->equal() || (effect->interval && !effect->interval->contains(0));
      map.uncertain[row][column] = !sure;
      unsure = unsure || !sure;
    } else {
      const auto stats = statistics_of(cell->values(quantity));
      if (stats.n == 0) continue;
      value = stats.mean;
      interval = interval_95(stats);
      repetitions = stats.n;
    }
    any = true;
    map.at[row][column] = value;
    map.csv += fmt::format("{},{},{},{},{}\n",
                           csv_cell(columns.names[column]),
                           csv_cell(rows.names[row]),
                           *value,
                           interval ? fmt::format("{},{}", interval->low, interval->high) : ",",
                           repetitions);
  }
  if (!any) return fmt::format("needs runs with the measure {}", measure.name);
  map.subtitle = fmt::format("{}: means over {}", study.name, repetitions_text(study));
  if (map.is_ratio) {
    map.subtitle += "; below 1× (blue) the first has less";
    if (unsure) map.subtitle += "; ?: the 95 % interval of the difference includes 0";
  } else if (!measure.unit.empty()) {
    map.subtitle += fmt::format("; in {}", measure.unit == "s" ? "seconds" : measure.unit);
  }
  return map;
}

std::string to_svg(const HeatMap& map, const PictureStyle& style) {
  const double size = style.font_size, unit = size / 12;
  const auto em = [&](double of_twelve) { return of_twelve * unit; };
  const auto num = [](double value) { return svg_number(value); };
  double row_names = 0;
  for (const auto& name : map.rows) row_names = std::max(row_names, text_width(name, size));
  const Headings headings(map.title, map.subtitle, style);
  const double top = headings.bottom();
  const double left = em(kEdge) + em(20) + row_names + em(8);
  const double right = style.width - em(kEdge) - em(70);  // beside it the scale
  const auto columns = static_cast<double>(map.columns.size());
  const auto rows = static_cast<double>(map.rows.size());
  const double cell_width = (right - left) / columns;
  const double cell_height = std::clamp(cell_width * 0.6, em(20), em(56));
  const double bottom = top + rows * cell_height;
  std::size_t name_lines = 1;
  for (const auto& name : map.columns)
    name_lines = std::max(name_lines, text_lines(name, size, cell_width - em(4)).size());
  const double height =
      bottom + em(14) + static_cast<double>(name_lines) * em(kLineHeight) + em(28);

  Svg svg;
  svg.open_picture(
      style.width, height, size, map.title, fmt::format("{}. {}", map.title, map.subtitle));
  headings.draw(svg);

  const ColourScale scale(map);
  for (std::size_t r = 0; r < map.rows.size(); ++r) {
    const double from = bottom - static_cast<double>(r + 1) * cell_height;
    svg.write(left - em(8), from + cell_height / 2 + em(4), map.rows[r], "end", kInk);
    for (std::size_t c = 0; c < map.columns.size(); ++c) {
      const double x = left + static_cast<double>(c) * cell_width;
      const auto& value = map.at[r][c];
      const Colour colour = value ? scale.colour(scale.share(*value)) : Colour{238, 238, 238};
      svg.empty("rect",
                {{"x", num(x)},
                 {"y", num(from)},
                 {"width", num(cell_width)},
                 {"height", num(cell_height)},
                 {"fill", text_of(colour)},
                 {"stroke", std::string(kGround)}});
      if (!value) continue;
      const auto text = number_text(*value, map.is_ratio) + (map.uncertain[r][c] ? "?" : "");
      if (text_width(text, size) > cell_width - em(4)) continue;  // the scale and the CSV tell
      svg.write(x + cell_width / 2,
                from + cell_height / 2 + em(4),
                text,
                "middle",
                is_dark(colour) ? kGround : kInk);
    }
  }
  for (std::size_t c = 0; c < map.columns.size(); ++c) {
    double line_y = bottom + em(16);
    for (const auto& line : text_lines(map.columns[c], size, cell_width - em(4))) {
      svg.write(left + (static_cast<double>(c) + 0.5) * cell_width, line_y, line, "middle", kInk);
      line_y += em(kLineHeight);
    }
  }
  svg.write((left + right) / 2, height - em(12), map.x_label, "middle", kInk);
  const double middle = (top + bottom) / 2, at = em(kEdge) + em(8);
  svg.text("text",
           {{"x", num(at)},
            {"y", num(middle)},
            {"text-anchor", "middle"},
            {"transform", fmt::format("rotate(-90 {} {})", num(at), num(middle))}},
           map.y_label);

  constexpr int kSteps = 24;
  const double scale_left = right + em(14), step = (bottom - top) / kSteps;
  for (int i = 0; i < kSteps; ++i)
    svg.empty("rect",
              {{"x", num(scale_left)},
               {"y", num(bottom - (i + 1) * step)},
               {"width", num(em(12))},
               {"height", num(step + 0.5)},
               {"fill", text_of(scale.colour((i + 0.5) / kSteps))}});
  for (const double share : {0.0, 0.5, 1.0})
    svg.write(scale_left + em(16),
              bottom - share * (bottom - top) +
                  (share == 1   ? em(9)
                   : share == 0 ? 0
                                : em(4)),
              number_text(scale.value(share), map.is_ratio),
              "start",
              kInk);
  svg.close();
  return svg.str();
}

Json heat_map_json(const HeatMap& map) {
  Json at = Json::array();
  for (const auto& row : map.at) {
    auto& cells = at.emplace_back(Json::array());
    for (const auto& value : row) cells.push_back(value ? Json(*value) : Json(nullptr));
  }
  return {{"id", map.id},
          {"title", map.title},
          {"subtitle", map.subtitle},
          {"x_label", map.x_label},
          {"y_label", map.y_label},
          {"columns", map.columns},
          {"rows", map.rows},
          {"is_ratio", map.is_ratio},
          {"at", at},
          {"uncertain", map.uncertain}};
}

}  // namespace posse
