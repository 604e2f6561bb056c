// SPDX-License-Identifier: Apache-2.0
// PDF from SVG, by librsvg's rsvg-convert.
#pragma once

#include <string>

namespace posse {

/// Throws std::runtime_error if the program is not there or fails. The same SVG gives the same
/// bytes with the same librsvg and fonts.
std::string to_pdf(const std::string& svg);

}  // namespace posse
