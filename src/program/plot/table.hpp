// A small table as a picture: headings and rows of text. As charts are: a white ground, nothing
// fetched, words that are text.
#pragma once

#include <string>
#include <vector>

namespace posse {

struct PictureTable {
  std::string id, title, subtitle;
  std::vector<std::string> headings;
  std::vector<std::vector<std::string>> rows;  // the first column's words to the left, others right
  std::string csv;                             // what is behind it, with its header
};

std::string to_svg(const PictureTable& table);

}  // namespace posse
