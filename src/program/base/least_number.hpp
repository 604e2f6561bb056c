// SPDX-License-Identifier: Apache-2.0
// The least number that is enough.
#pragma once

#include <cstddef>
#include <optional>

namespace posse {

/// The least n from 2 to a million with enough(n), which holds for all larger ones, too; nothing if
/// a million isn't enough.
template <class Enough>
std::optional<std::size_t> least_number(const Enough& enough) {
  std::size_t low = 1, high = 1'000'000;  // `high` is enough, `low` isn't
  if (!enough(high)) return std::nullopt;
  while (high - low > 1) {
    const auto middle = low + (high - low) / 2;
    (enough(middle) ? high : low) = middle;
  }
  return high;
}

}  // namespace posse
