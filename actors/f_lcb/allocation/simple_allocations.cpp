// SPDX-License-Identifier: Apache-2.0
#include "actors/f_lcb/allocation/simple_allocations.hpp"

#include <algorithm>

#include "core/base/check.hpp"

namespace posse {

GreedyAllocation::GreedyAllocation(std::size_t arms,
                                   std::uint64_t budget,
                                   std::optional<double> epsilon,
                                   Seed seed)
    : arms_(arms),
      by_lower_bound_(epsilon ? arms : 0),
      budget_(budget),
      epsilon_(epsilon),
      explore_(stream_key(seed, "explore", "agent")) {
  POSSE_CHECK(arms > 0, "no arms");
}

void GreedyAllocation::start(std::vector<Pull>& pulls) {
  if (waiting_ || started_ == budget_) return;
  const std::uint64_t t = started_++;
  waiting_ = true;
  std::size_t arm = t % arms_.size();
  if (epsilon_ && t >= arms_.size()) {
    if (explore_.at(2 * t) < *epsilon_) {
      const auto drawn = explore_.at(2 * t + 1) * static_cast<double>(arms_.size());
      arm = std::min(static_cast<std::size_t>(drawn), arms_.size() - 1);
    } else {
      arm = by_lower_bound_.index().value_or(0);
    }
  }
  arms_.start(arm);
  pulls.push_back({static_cast<std::uint32_t>(arm), 0});
}

void GreedyAllocation::take(const Pull& pull, const ArmReply& reply) {
  arms_.take(pull, reply);
  waiting_ = false;
  if (epsilon_) by_lower_bound_.set(pull.arm, arms_[pull.arm].best - arms_[pull.arm].bound);
}

}  // namespace posse
