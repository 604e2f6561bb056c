// One client's evaluations of cells: what every tree algorithm's client or player does with a
// budget.
//
// With a fixed representative point (x_{h,i}: all the papers' analyses) f is evaluated once for all
// the pulls of a cell; with `uniform` points every pull has its own. Each pull is reported to the
// recorder. Streams: `reward/client-m` through RewardSource; `point/client-m`, draws (pull number)
// d + j for coordinate j of a uniform point.
#pragma once

#include <cstdint>

#include "core/domain/cell.hpp"
#include "core/domain/partition.hpp"
#include "core/objective/problem.hpp"
#include "core/random/stream.hpp"
#include "core/role/role.hpp"

namespace posse {

class CellRewards {
 public:
  /// Client number `client`, from 0. Both references must outlive this.
  CellRewards(const Problem& problem, const Partition& partition, std::uint32_t client);

  /// The sum of the next `count` rewards of the cell, added one by one in pull order.
  double pull(Cell cell, std::uint64_t count, Reaction& reaction);

  /// Pulls so far.
  std::uint64_t pulls() const { return rewards_.pulls(); }
  /// Pulls that the budget still allows.
  std::uint64_t left() const { return problem_->budget() - rewards_.pulls(); }
  std::uint32_t client() const { return static_cast<std::uint32_t>(rewards_.client()); }

 private:
  double pull_uniform(Cell cell, std::uint64_t count, Reaction& reaction);

  const Problem* problem_;
  const Partition* partition_;
  RewardSource rewards_;
  UniformStream points_;
};

}  // namespace posse
