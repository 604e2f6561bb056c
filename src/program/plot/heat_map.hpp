// SPDX-License-Identifier: Apache-2.0
// A measure over two swept keys, as a grid of colours with numbers.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "program/base/json.hpp"
#include "program/compare/study.hpp"
#include "program/plot/svg.hpp"

namespace posse {

struct HeatMap {
  std::string id, title, subtitle;
  std::string x_label, y_label;
  std::vector<std::string> columns, rows;              // names, rows from below
  std::vector<std::vector<std::optional<double>>> at;  // [row][column]
  std::vector<std::vector<bool>> uncertain;            // a ratio that isn't shown to differ from 1
  bool is_ratio = false;                               // colours go both ways from 1
  std::string csv;
};
using MaybeHeatMap = std::variant<HeatMap, std::string>;

/// The mean of an algorithm, or with `against` the ratio of its mean to that one's, paired. Other
/// keys must not differ. `quantity` is a position in kQuantities, algorithms are in the study.
MaybeHeatMap heat_map(const Study& study,
                      const std::string& x,
                      const std::string& y,
                      std::size_t quantity,
                      std::size_t algorithm,
                      std::optional<std::size_t> against);

std::string to_svg(const HeatMap& map, const PictureStyle& style = {});
/// For programs that draw: id, title, subtitle, x_label, y_label, columns, rows, is_ratio; at, by
/// row and column, null where there is no value, and uncertain.
Json heat_map_json(const HeatMap& map);

}  // namespace posse
