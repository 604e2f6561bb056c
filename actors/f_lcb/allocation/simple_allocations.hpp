// SPDX-License-Identifier: Apache-2.0
// Baselines without rungs: uniform allocation, and epsilon-greedy on the lower confidence bound.
//
//   uniform         every arm in turn, in index order
//   epsilon-greedy  every arm once; then with probability epsilon a uniformly drawn arm, else the
//                   arm of lowest LCB = m - g(k) (ties: the lowest index)
// Both answer the arm with the smallest value seen, and pull one arm at a time. They are ours; see
// PAPERS.md, f-lcb-22. Streams: `explore/agent`, draws 2t and 2t + 1 for pull t.
#pragma once

#include "actors/f_lcb/allocation/allocation.hpp"
#include "core/random/stream.hpp"

namespace posse {

class GreedyAllocation final : public Allocation {
 public:
  /// `epsilon` in [0, 1]; without it: uniform.
  GreedyAllocation(std::size_t arms,
                   std::uint64_t budget,
                   std::optional<double> epsilon,
                   Seed seed);

  void start(std::vector<Pull>& pulls) override;
  void take(const Pull& pull, const ArmReply& reply) override;
  std::uint32_t answer() const override { return arms_.best(); }

 private:
  KnownArms arms_;
  SmallestNumber by_lower_bound_;
  std::uint64_t budget_;
  std::optional<double> epsilon_;
  UniformStream explore_;
  std::uint64_t started_ = 0;
  bool waiting_ = false;
};

}  // namespace posse
