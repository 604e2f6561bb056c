// The messages of Fed-PNE. The third, `LocalMeans`, is shared with PF-PNE.
#pragma once

#include <bit>
#include <cstdint>
#include <string_view>
#include <vector>

#include "actors/common/local_means.hpp"
#include "core/role/message.hpp"

namespace posse {

/// What every client does in one phase: `pulls` pulls of each of the cells, in order.
struct PhasePlan {
  static constexpr std::string_view kName = "PhasePlan";
  std::uint32_t phase = 0;
  std::uint32_t depth = 0;
  std::uint32_t pulls = 0;
  std::vector<std::uint64_t> index;
  /// A node and its count for each cell, as the paper counts (Algorithm 1, line 9).
  std::uint64_t values() const { return 2 * index.size(); }
  POSSE_FIELDS(phase, depth, pulls, index)
};

/// The same in fewer bytes, for those who know K^{p-1}: the kept ones of its cells, at the depth
/// limit the best one alone. Phases and depths are at most 63: every phase has a depth of its own.
struct CompactPlan {
  static constexpr std::string_view kName = "CompactPlan";
  std::uint16_t phase = 0;
  std::uint16_t expansions = 0;    // after the split of the kept cells
  std::vector<std::uint8_t> kept;  // cell j of K^{p-1} is bit j mod 8 of byte j / 8
  /// The nodes it names and the count of expansions.
  std::uint64_t values() const {
    std::uint64_t values = 1;
    for (const std::uint8_t byte : kept) values += static_cast<std::uint64_t>(std::popcount(byte));
    return values;
  }
  POSSE_FIELDS(phase, expansions, kept)
};

}  // namespace posse
