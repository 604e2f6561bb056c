// SPDX-License-Identifier: Apache-2.0
// The lengths of a picture as users write them: "3.3in", "84 mm", "8pt".
#pragma once

#include <string>
#include <string_view>

#include "program/plot/svg.hpp"

namespace posse {

/// In pixels of 1/96 inch. A number alone is in `unit`, if that is given. Throws
/// std::invalid_argument for other texts, and for lengths outside of the range.
double parse_length(const std::string& text, std::string_view unit, double least, double most);

/// Empty texts stand for the default.
PictureStyle picture_style(const std::string& width, const std::string& font_size, bool title);

}  // namespace posse
