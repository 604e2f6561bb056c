// SPDX-License-Identifier: Apache-2.0
// Whatever `posse plot` draws, as a value: pictures, pages and Python are made from it.
#pragma once

#include <string>
#include <variant>

#include "program/base/json.hpp"
#include "program/plot/bars.hpp"
#include "program/plot/chart.hpp"
#include "program/plot/facets.hpp"
#include "program/plot/heat_map.hpp"
#include "program/plot/picture.hpp"
#include "program/plot/sequence.hpp"
#include "program/plot/table.hpp"

namespace posse {

using Drawing = std::variant<Chart, Facets, Bars, HeatMap, PictureTable, Sequence>;
/// Or why there is none: "needs …".
using MaybeDrawing = std::variant<Drawing, std::string>;

/// The style is that of charts, bars and heat maps.
Picture picture_of(const Drawing& drawing, const PictureStyle& style = {});
/// For programs: `type`, "chart", "facets", "bars", "heat-map", "table" or "sequence", and the
/// value itself. A table has its `csv`.
Json drawing_json(const Drawing& drawing);

}  // namespace posse
