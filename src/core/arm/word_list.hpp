// SPDX-License-Identifier: Apache-2.0
// Lists of words in a text, separated by commas.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/parameters.hpp"
#include "core/base/shown_text.hpp"

namespace posse {

/// The words without surrounding blanks. Throws InputError for the parameter `parameter` if an
/// entry is empty.
inline std::vector<std::string> word_list(std::string_view list, std::string_view parameter) {
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    const std::string_view word = list.substr(begin, end - begin);
    const auto first = word.find_first_not_of(" \t");
    if (first == std::string_view::npos)
      throw InputError(fmt::format("'{}' has an empty entry", shortened(list)),
                       std::string(parameter));
    words.emplace_back(word.substr(first, word.find_last_not_of(" \t") - first + 1));
    begin = end + 1;
  }
  return words;
}

}  // namespace posse
