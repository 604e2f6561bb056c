// SPDX-License-Identifier: Apache-2.0
// The marker of a series, one per style.
#pragma once

#include <cstddef>
#include <string>

#include "program/plot/svg.hpp"

namespace posse {

std::string series_colour(std::size_t style);

/// The form of a style's marker.
std::size_t marker_of(std::size_t style);
/// Centred at (x, y); `r` is about half its width.
void draw_marker(
    Svg& svg, std::size_t marker, const std::string& fill, double x, double y, double r);

}  // namespace posse
