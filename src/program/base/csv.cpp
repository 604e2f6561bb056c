// SPDX-License-Identifier: Apache-2.0
#include "program/base/csv.hpp"

namespace posse {

std::string csv_cell(std::string_view text) {
  constexpr std::string_view kBlanks = " \t";  // readers remove them around a cell
  const bool blank_ends = !text.empty() && (kBlanks.find(text.front()) != std::string_view::npos ||
                                            kBlanks.find(text.back()) != std::string_view::npos);
  if (!blank_ends && text.find_first_of(",\"\r\n") == std::string_view::npos)
    return std::string(text);
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + '"';
}

std::vector<std::string_view> plain_cells(std::string_view line) {
  std::vector<std::string_view> cells;
  for (;;) {
    const auto end = line.find(',');
    cells.push_back(line.substr(0, end));
    if (end == std::string_view::npos) return cells;
    line.remove_prefix(end + 1);
  }
}

}  // namespace posse
