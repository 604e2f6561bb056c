// SPDX-License-Identifier: Apache-2.0
// The messages of Fed-PNE with variance-aware radii.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/role/message.hpp"

namespace posse {

/// The plan of one exchange: pulls[j] more pulls of cell index[j], in order. 16 + 12n bytes and 2n
/// values for n cells.
struct VariancePlan {
  static constexpr std::string_view kName = "VariancePlan";
  std::uint32_t round = 0;
  std::uint32_t depth = 0;
  std::vector<std::uint64_t> index;
  std::vector<std::uint32_t> pulls;
  std::uint64_t values() const { return 2 * index.size(); }
  POSSE_FIELDS(round, depth, index, pulls)
};

}  // namespace posse
