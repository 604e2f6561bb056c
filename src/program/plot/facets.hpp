// SPDX-License-Identifier: Apache-2.0
// Charts side by side, one for each value of a key, with the same axes and one legend.
#pragma once

#include <string>
#include <vector>

#include "program/base/json.hpp"
#include "program/plot/chart.hpp"

namespace posse {

struct Panel {
  std::size_t column = 0, row = 0;
  Chart chart;
};

struct Facets {
  std::string id, title, subtitle, band, note;
  /// What the panels of a column, or of a row, have in common. Without rows the columns are
  /// wrapped.
  std::vector<std::string> columns, rows;
  /// Columns, or rows, are of a y axis each: that says what they are.
  bool columns_are_axes = false, rows_are_axes = false;
  std::vector<Panel> panels;  // by row, then column; there may be none of some
};

/// Of charts with one kind of x axis. Series of one name have one colour, and axes with one label
/// one scale.
Facets facets_of(std::vector<Panel> panels,
                 std::vector<std::string> columns,
                 std::vector<std::string> rows);

std::string to_svg(const Facets& facets, const PictureStyle& style = {});
/// As that of a chart, after columns `column` and `row`.
std::string to_csv(const Facets& facets);
/// For programs that draw: id, title, subtitle, band, note, columns, rows; panels: [{column, row,
/// chart}].
Json facets_json(const Facets& facets);

}  // namespace posse
