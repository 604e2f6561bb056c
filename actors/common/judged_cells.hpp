// SPDX-License-Identifier: Apache-2.0
// The outcome of an elimination, cell by cell, for the view of the partition tree.
#pragma once

#include <cstdint>
#include <vector>

#include "core/role/observation.hpp"

namespace posse {

/// Marks which cells of `before` are kept in `after`. Both hold cells of one depth with `index` and
/// `mean`, in the same order.
template <class Cells>
std::vector<JudgedCell> judged_cells(std::uint32_t depth, const Cells& before, const Cells& after) {
  std::vector<JudgedCell> judged;
  judged.reserve(before.size());
  auto kept = after.begin();
  for (const auto& cell : before) {
    const bool keep = kept != after.end() && kept->index == cell.index;
    if (keep) ++kept;
    judged.push_back({{depth, cell.index}, cell.mean, keep});
  }
  return judged;
}

}  // namespace posse
