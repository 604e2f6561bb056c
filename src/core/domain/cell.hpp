// SPDX-License-Identifier: Apache-2.0
// A cell of a hierarchical partition. Papers say "node"; in Posse a node is a participant.
#pragma once

#include <compare>
#include <cstdint>

namespace posse {

/// The papers' (h, i): depth h >= 0, index i from 1.
struct Cell {
  std::uint32_t depth = 0;
  std::uint64_t index = 1;
  constexpr auto operator<=>(const Cell&) const = default;
};

}  // namespace posse
