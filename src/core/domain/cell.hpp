// A cell of a hierarchical partition ("node" in the papers; here a node is a participant).
#pragma once

#include <compare>
#include <cstdint>

namespace posse {

/// (h, i) of the papers: depth h >= 0 and index i from 1.
struct Cell {
  std::uint32_t depth = 0;
  std::uint64_t index = 1;
  constexpr auto operator<=>(const Cell&) const = default;
};

}  // namespace posse
