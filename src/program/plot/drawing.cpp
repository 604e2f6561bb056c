// SPDX-License-Identifier: Apache-2.0
#include "program/plot/drawing.hpp"

#include <nlohmann/json.hpp>

#include "core/base/overload.hpp"

namespace posse {

Picture picture_of(const Drawing& drawing, const PictureStyle& style) {
  return std::visit(Overload{[&](const Chart& x) {
                               return Picture{x.id, to_svg(x, style), to_csv(x)};
                             },
                             [&](const Facets& x) {
                               return Picture{x.id, to_svg(x, style), to_csv(x)};
                             },
                             [&](const Bars& x) {
                               return Picture{x.id, to_svg(x, style), to_csv(x)};
                             },
                             [&](const HeatMap& x) {
                               return Picture{x.id, to_svg(x, style), x.csv};
                             },
                             [](const PictureTable& x) {
                               return Picture{x.id, to_svg(x), x.csv};
                             },
                             [](const Sequence& x) {
                               return Picture{"sequence", to_svg(x), to_csv(x)};
                             }},
                    drawing);
}

Json drawing_json(const Drawing& drawing) {
  const auto typed = [](const char* type, const Json& value) {
    Json json{{"type", type}};
    json.update(value);
    return json;
  };
  return std::visit(
      Overload{[&](const Chart& x) { return typed("chart", chart_json(with_drawable_scales(x))); },
               [&](const Facets& x) { return typed("facets", facets_json(x)); },
               [&](const Bars& x) { return typed("bars", bars_json(x)); },
               [&](const HeatMap& x) { return typed("heat-map", heat_map_json(x)); },
               [&](const PictureTable& x) {
                 return typed("table", {{"id", x.id}, {"csv", x.csv}});
               },
               [&](const Sequence& x) { return typed("sequence", sequence_json(x)); }},
      drawing);
}

}  // namespace posse
