// SPDX-License-Identifier: Apache-2.0
#include "actors/reward_bandit/policy/reward_policy.hpp"

#include <algorithm>

#include "core/base/check.hpp"

namespace posse {

std::uint64_t RewardPolicy::Plan::decisions() const {
  return arms + (budget - arms * first + batch - 1) / batch;
}

RewardPolicy::RewardPolicy(const Plan& plan)
    : plan_(plan), pulls_(plan.arms), estimates_(plan.arms) {
  POSSE_CHECK(plan.arms > 0 && plan.first > 0 && plan.batch > 0,
              "{} arms, first = {}, batch = {}",
              plan.arms,
              plan.first,
              plan.batch);
  POSSE_CHECK(plan.budget >= plan.arms * plan.first,
              "budget of {} rewards, needs {} for each of {} arms",
              plan.budget,
              plan.first,
              plan.arms);
}

std::optional<RewardDraw> RewardPolicy::next() {
  if (total_ == plan_.budget) return std::nullopt;
  if (total_ < plan_.arms * plan_.first)
    return RewardDraw{static_cast<std::uint32_t>(total_ / plan_.first), plan_.first};
  prepare();
  const auto left = plan_.budget - total_;
  return RewardDraw{largest_index(),
                    static_cast<std::uint32_t>(std::min<std::uint64_t>(plan_.batch, left))};
}

std::uint32_t RewardPolicy::largest_index() {
  if (!index_depends_on_others()) {
    if (!indices_) {
      indices_.emplace(plan_.arms);
      for (std::uint32_t i = 0; i < plan_.arms; ++i) indices_->set(i, -index(i));
    }
    return *indices_->index();
  }
  std::uint32_t best = 0;
  double largest = index(0);
  for (std::uint32_t i = 1; i < plan_.arms; ++i) {
    const double candidate = index(i);
    if (candidate > largest) {
      best = i;
      largest = candidate;
    }
  }
  return best;
}

void RewardPolicy::take(const RewardDraw& draw, std::span<const double> rewards) {
  POSSE_CHECK(rewards.size() == draw.count, "{} rewards, expected {}", rewards.size(), draw.count);
  update(draw.arm, rewards);
  pulls_.at(draw.arm) += draw.count;
  total_ += draw.count;
  estimate_changed(draw.arm);
  if (indices_) indices_->set(draw.arm, -index(draw.arm));
}

}  // namespace posse
