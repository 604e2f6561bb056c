// SPDX-License-Identifier: Apache-2.0
// Enumerators by their names.
#pragma once

#include <optional>
#include <string_view>

namespace posse {

/// The one of these whose to_string() is the name, if there is one.
template <class List>
constexpr std::optional<typename List::value_type> named(const List& all, std::string_view name) {
  for (const auto each : all)
    if (to_string(each) == name) return each;
  return std::nullopt;
}

}  // namespace posse
