// SPDX-License-Identifier: Apache-2.0
#include "program/plot/drawing.hpp"

#include <nlohmann/json.hpp>
#include <type_traits>

namespace posse {

Picture picture_of(const Drawing& drawing, const PictureStyle& style) {
  return std::visit(
      [&](const auto& of) {
        using Of = std::decay_t<decltype(of)>;
        if constexpr (std::is_same_v<Of, Bars>)
          return Picture{of.id, to_svg(of, style), to_csv(of)};
        else if constexpr (std::is_same_v<Of, Chart> || std::is_same_v<Of, HeatMap>)
          return picture_of(of, style);
        else
          return picture_of(of);
      },
      drawing);
}

namespace {

Json value_json(const Chart& chart) { return chart_json(with_drawable_scales(chart)); }
Json value_json(const Bars& bars) { return bars_json(bars); }
Json value_json(const HeatMap& map) { return heat_map_json(map); }
Json value_json(const PictureTable& table) { return {{"id", table.id}, {"csv", table.csv}}; }
Json value_json(const Sequence& sequence) { return sequence_json(sequence); }

constexpr std::string_view name_of_type(const Chart&) { return "chart"; }
constexpr std::string_view name_of_type(const Bars&) { return "bars"; }
constexpr std::string_view name_of_type(const HeatMap&) { return "heat-map"; }
constexpr std::string_view name_of_type(const PictureTable&) { return "table"; }
constexpr std::string_view name_of_type(const Sequence&) { return "sequence"; }

}  // namespace

Json drawing_json(const Drawing& drawing) {
  return std::visit(
      [](const auto& of) {
        Json json{{"type", name_of_type(of)}};
        json.update(value_json(of));
        return json;
      },
      drawing);
}

}  // namespace posse
