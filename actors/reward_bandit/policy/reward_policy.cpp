// SPDX-License-Identifier: Apache-2.0
#include "actors/reward_bandit/policy/reward_policy.hpp"

#include <algorithm>

#include "core/base/check.hpp"

namespace posse {

std::uint64_t RewardPolicy::Plan::decisions() const {
  return arms + (budget - arms * first + batch - 1) / batch;
}

RewardPolicy::RewardPolicy(const Plan& plan) : plan_(plan), pulls_(plan.arms) {
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
  std::uint32_t best = 0;
  double largest = index(0);
  for (std::uint32_t i = 1; i < plan_.arms; ++i) {
    const double candidate = index(i);
    if (candidate > largest) {
      best = i;
      largest = candidate;
    }
  }
  const auto left = plan_.budget - total_;
  return RewardDraw{best, static_cast<std::uint32_t>(std::min<std::uint64_t>(plan_.batch, left))};
}

void RewardPolicy::take(const RewardDraw& draw, std::span<const double> rewards) {
  POSSE_CHECK(rewards.size() == draw.count, "{} rewards, expected {}", rewards.size(), draw.count);
  update(draw.arm, rewards);
  pulls_.at(draw.arm) += draw.count;
  total_ += draw.count;
}

std::uint32_t RewardPolicy::answer() const {
  std::uint32_t best = 0;
  for (std::uint32_t i = 1; i < plan_.arms && pulls_[i] > 0; ++i)
    if (estimate(i) > estimate(best)) best = i;
  return best;
}

}  // namespace posse
