// Baselines that know no rungs: uniform allocation, and epsilon-greedy on the lower confidence
// bound.
//
//   uniform         every arm in turn, in index order
//   epsilon-greedy  every arm once; then with probability epsilon a uniformly drawn arm, else the
//                   one of lowest LCB = m - g(k), lowest index on a tie
// Both answer the arm with the smallest value seen. One pull after the other. The paper has
// neither; uniform does as well as F-LCB in its section 5.4 from T = 100 on. Streams:
// `explore/agent`, draws 2t and 2t + 1 for pull t.
#pragma once

#include "actors/f_lcb/allocation/allocation.hpp"
#include "core/random/stream.hpp"

namespace posse {

class GreedyAllocation final : public Allocation {
 public:
  /// `epsilon` in [0, 1]; none: uniform, in turn.
  GreedyAllocation(std::size_t arms,
                   std::uint64_t budget,
                   std::optional<double> epsilon,
                   Seed seed);

  void start(std::vector<Pull>& pulls) override;
  void take(const Pull& pull, const ArmReply& reply) override;
  std::uint32_t answer() const override { return best_arm(arms_); }

 private:
  std::vector<ArmKnowledge> arms_;
  std::uint64_t budget_;
  std::optional<double> epsilon_;
  UniformStream explore_;
  std::uint64_t started_ = 0;
  bool waiting_ = false;
};

}  // namespace posse
