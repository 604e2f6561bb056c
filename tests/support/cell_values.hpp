// SPDX-License-Identifier: Apache-2.0
// Random deterministic functions on cells, and learners played on them: for comparisons with
// literal implementations where ties matter.
#pragma once

#include <catch2/catch.hpp>
#include <cstdint>
#include <vector>

#include "core/base/hash.hpp"
#include "core/domain/partition.hpp"
#include "core/learner/learner.hpp"

namespace posse::test {

/// A value for every cell: one of `levels` equally spaced numbers in [0, 1), so that few levels
/// give many ties. The values of a cell and of its children are unrelated.
struct CellValues {
  std::uint64_t seed = 1;
  std::uint64_t levels = 1000;

  double operator()(Cell cell) const {
    const std::uint64_t hash = hash_combine(hash_combine(seed, cell.depth), cell.index);
    return static_cast<double>((hash >> 11) % levels) / static_cast<double>(levels);
  }
};

/// Partitions of arities 2, 3, 5 and 16; the last has a depth limit of 15.
inline std::vector<Partition> arities() {
  std::vector<Partition> all;
  for (const std::uint32_t k : {2, 3, 5, 16})
    all.emplace_back(Box::cube(1, 0, 1), PartitionKind::cyclic, k);
  return all;
}

/// Both must ask for the same cells and recommend the same ones at every step.
template <class Literal, class Value>
void require_same_play(Learner& learner, Literal& literal, std::uint64_t steps, Value value) {
  REQUIRE(learner.recommend() == literal.recommend());
  for (std::uint64_t t = 1; t <= steps; ++t) {
    const Cell cell = learner.next();
    const Cell expected = literal.next();
    const double reward = value(cell);
    learner.tell(reward);
    literal.tell(reward);
    if (cell == expected && learner.recommend() == literal.recommend()) continue;
    FAIL("step " << t << ": depth " << cell.depth << " for " << expected.depth << ", index "
                 << cell.index << " for " << expected.index << "; recommended depth "
                 << learner.recommend().depth << " for " << literal.recommend().depth);
  }
}

}  // namespace posse::test
