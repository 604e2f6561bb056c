// SPDX-License-Identifier: Apache-2.0
// Stacked bars, one per category, from left to right: what was sent, by type of message.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "program/base/json.hpp"
#include "program/plot/chart.hpp"
#include "program/plot/kinds.hpp"
#include "program/plot/svg.hpp"
#include "program/results/run_data.hpp"

namespace posse {

struct Bars {
  struct Bar {
    std::string label;  // "fed-pne · Plan ↓"
    std::size_t algorithm = 0;
    std::string type, direction;            // of the messages
    std::optional<std::size_t> style = {};  // position of its colour; none: acknowledgements
  };
  /// A part of every bar.
  struct Part {
    std::string label;
    double strength = 1;              // of the bar's colour
    bool dropped = false;             // in the colour of drops instead
    std::vector<double> values = {};  // by bar
  };
  std::string id, title, subtitle;
  std::string note;  // of how many runs the means are, which is part of the subtitle, too
  AxisSpec axis;     // of the values
  std::vector<Bar> bars;
  std::vector<Part> parts;
};
using MaybeBars = std::variant<Bars, std::string>;

/// The kinds: the bytes, messages, values or fates of all copies, by type and direction of the
/// messages; means over the finished repetitions.
const std::vector<PlotKind>& bar_kinds();
MaybeBars make_bars(const RunData& run, const std::string& kind);

std::string to_svg(const Bars& bars, const PictureStyle& style = {});
/// bar, type, direction, and a column for each part.
std::string to_csv(const Bars& bars);
/// For programs that draw: id, title, subtitle, note, axis as in chart_json(); bars: [{label,
/// algorithm, type, style}]; parts: [{label, strength, dropped, values}].
Json bars_json(const Bars& bars);

}  // namespace posse
