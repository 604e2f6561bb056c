// SPDX-License-Identifier: Apache-2.0
// A small table as a picture: headings and rows of text. Like charts it has a white background, no
// external references, and text as text.
#pragma once

#include <string>
#include <vector>

namespace posse {

struct PictureTable {
  std::string id, title, subtitle;
  std::vector<std::string> headings;
  std::vector<std::vector<std::string>> rows;  // the first column's words to the left, others right
  std::string csv;                             // its data, with a header
};

std::string to_svg(const PictureTable& table);

}  // namespace posse
