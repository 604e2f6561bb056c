// A plot as it is written: an SVG and the CSV behind it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "program/plot/chart.hpp"
#include "program/plot/table.hpp"

namespace posse {

struct Picture {
  std::string id;  // a plain word: its file's name
  std::string svg, csv;
};
Picture picture_of(const Chart& chart);
Picture picture_of(const PictureTable& table);

/// Writes `svg` and, beside it, the CSV; returns both. Throws FileError.
std::vector<std::filesystem::path> write_picture(const Picture& picture,
                                                 const std::filesystem::path& svg);

}  // namespace posse
