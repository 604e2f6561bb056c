// SPDX-License-Identifier: Apache-2.0
#include "actors/reward_bandit/policy/rucb_median.hpp"

#include <algorithm>

#include "core/base/math.hpp"
#include "core/base/median.hpp"

namespace posse {

void RucbMedian::Sum::add(double x) {
  // Knuth's TwoSum: the rounding error of high + x is exact.
  const double sum = high + x;
  const double of_x = sum - high;
  low += (high - (sum - of_x)) + (x - of_x);
  high = sum;
  const double whole = high + low;
  low -= whole - high;
  high = whole;
}

RucbMedian::RucbMedian(std::size_t arms, std::uint64_t budget, const RucbOptions& options)
    : RewardPolicy(plan_of(arms, budget)),
      factor_(math::pow(12 * options.v, 1 / (1 + options.epsilon))),
      exponent_(options.epsilon / (1 + options.epsilon)),
      held_(arms) {}

void RucbMedian::update(std::uint32_t arm, std::span<const double> rewards) {
  Held& held = held_[arm];
  for (const double reward : rewards) {
    held.prefix.push_back(held.prefix.back());
    held.prefix.back().add(reward);
  }
  if (pulls(arm) == 0)
    held.estimate = held.prefix.back().high / static_cast<double>(rewards.size());
}

void RucbMedian::prepare() {
  log_ = 0.125 + 2 * math::log(1 + static_cast<double>(pulls()));
  for (std::uint32_t i = 0; i < held_.size(); ++i) {
    const std::uint64_t n = pulls(i);
    const auto blocks = static_cast<std::uint64_t>(std::min(8 * log_, static_cast<double>(n) / 2));
    const std::uint64_t length = n / blocks;
    if (held_[i].blocks == blocks && held_[i].length == length) continue;
    held_[i].blocks = blocks;
    held_[i].length = length;
    renew(i);
  }
}

void RucbMedian::renew(std::uint32_t arm) {
  Held& held = held_[arm];
  means_.clear();
  for (std::uint64_t j = 0; j < held.blocks; ++j) {
    const Sum& from = held.prefix[j * held.length];
    const Sum& to = held.prefix[(j + 1) * held.length];
    const double sum = (to.high - from.high) + (to.low - from.low);
    means_.push_back(sum / static_cast<double>(held.length));
  }
  held.estimate = median(means_);
  estimate_changed(arm);
}

double RucbMedian::index(std::uint32_t arm) const {
  const auto n = static_cast<double>(pulls(arm));
  return held_[arm].estimate + factor_ * math::pow(16 * log_ / n, exponent_);
}

}  // namespace posse
