// SPDX-License-Identifier: Apache-2.0
#include "program/plot/picture.hpp"

#include <stdexcept>
#include <system_error>

#include "program/base/files.hpp"
#include "program/plot/pdf.hpp"

namespace posse {
namespace {

std::string pdf_for(const std::filesystem::path& file, const std::string& svg) try {
  return to_pdf(svg);
} catch (const std::runtime_error& problem) {
  throw FileError(file, std::string("can't be made: ") + problem.what());
}

}  // namespace

std::vector<std::filesystem::path> write_picture(const Picture& picture,
                                                 const std::filesystem::path& file) {
  const bool pdf = file.extension() == ".pdf";
  const std::string content = pdf ? pdf_for(file, picture.svg) : picture.svg;
  if (file.has_parent_path()) {
    std::error_code error;
    std::filesystem::create_directories(file.parent_path(), error);
    if (error) throw FileError(file.parent_path(), "can't be made: " + error.message());
  }
  auto csv = file;
  csv.replace_extension(".csv");
  write_file(file, content);
  write_file(csv, picture.csv);
  return {file, csv};
}

}  // namespace posse
