// The active cells K of Fed-PNE, as the server holds them and, with compact plans, the clients too.
#pragma once

#include <cstdint>
#include <vector>

#include "core/domain/partition.hpp"

namespace posse {

/// K: cells of one depth, ascending. Of a level with more cells than steps are left, which is never
/// completed, only the beginning need be there.
struct ActiveCells {
  std::uint32_t depth = 0;              // h
  std::uint64_t count = 1;              // |K|
  std::vector<std::uint64_t> index{1};  // K, or the first of it

  /// K = children of `kept`, the `kept_count` cells of this depth that remain or the first of them,
  /// as far as the first `limit` children; h += 1.
  void split(const Partition& partition,
             const std::vector<std::uint64_t>& kept,
             std::uint64_t kept_count,
             std::uint64_t limit) {
    // Of a level that was cut already, the first children are those of the first cells.
    index = children_of(partition, depth, kept, limit);
    count = kept_count * partition.children_per_cell();
    ++depth;
  }
};

}  // namespace posse
