#include "program/plot/picture.hpp"

#include <system_error>

#include "program/base/files.hpp"

namespace posse {

Picture picture_of(const Chart& chart) { return {chart.id, to_svg(chart), to_csv(chart)}; }
Picture picture_of(const PictureTable& table) { return {table.id, to_svg(table), table.csv}; }

std::vector<std::filesystem::path> write_picture(const Picture& picture,
                                                 const std::filesystem::path& svg) {
  if (svg.has_parent_path()) {
    std::error_code error;
    std::filesystem::create_directories(svg.parent_path(), error);
    if (error) throw FileError(svg.parent_path(), "can't be made: " + error.message());
  }
  auto csv = svg;
  csv.replace_extension(".csv");
  write_file(svg, picture.svg);
  write_file(csv, picture.csv);
  return {svg, csv};
}

}  // namespace posse
