// SPDX-License-Identifier: Apache-2.0
// The active cells K of Fed-PNE. The server holds them; with compact plans the clients hold them
// too.
#pragma once

#include <cstdint>
#include <vector>

#include "core/domain/partition.hpp"

namespace posse {

/// K: cells of one depth, in ascending order. A level with more cells than remaining evaluations is
/// never completed, so `index` may hold only its first cells.
struct ActiveCells {
  std::uint32_t depth = 0;              // h
  std::uint64_t count = 1;              // |K|
  std::vector<std::uint64_t> index{1};  // K, or its first cells

  /// Replaces K by the children of the kept cells and increments h. `kept` holds the `kept_count`
  /// cells that remain, or their first ones. At most `limit` children are stored.
  void split(const Partition& partition,
             const std::vector<std::uint64_t>& kept,
             std::uint64_t kept_count,
             std::uint64_t limit) {
    // If `kept` holds only the first cells, these are the first children.
    index = children_of(partition, depth, kept, limit);
    count = kept_count * partition.children_per_cell();
    ++depth;
  }
};

}  // namespace posse
