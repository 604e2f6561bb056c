// SPDX-License-Identifier: Apache-2.0
// A plot as files: an SVG or a PDF, and its data as CSV.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace posse {

struct Picture {
  std::string id;  // a plain word: the file name
  std::string svg, csv;
};

/// Writes the picture, as PDF if `file` ends in .pdf, and the CSV beside it; returns both paths.
/// Throws FileError.
std::vector<std::filesystem::path> write_picture(const Picture& picture,
                                                 const std::filesystem::path& file);

}  // namespace posse
