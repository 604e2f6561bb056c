// SPDX-License-Identifier: Apache-2.0
#include "actors/reward_bandit/policy/sgd_ucb_smom.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/math.hpp"
#include "core/base/median.hpp"
#include "core/random/distributions.hpp"

namespace posse {
namespace {

double default_step(std::uint64_t budget) {
  const auto t = static_cast<double>(budget);
  return 1 / math::log(4 * (t + 1) * t * t);
}

}  // namespace

RewardPolicy::Plan SgdUcbSmom::plan_of(std::size_t arms,
                                       std::uint64_t budget,
                                       const SmomOptions& options) {
  const std::uint32_t means = 2 * options.m + 1;
  return {arms, budget, means, means * options.n};
}

SgdUcbSmom::SgdUcbSmom(std::size_t arms,
                       std::uint64_t budget,
                       const SmomOptions& options,
                       Seed seed)
    : RewardPolicy(plan_of(arms, budget, options)),
      options_(options),
      step_(options.step.value_or(default_step(budget))),
      x_(arms),
      updates_(arms),
      means_(plan().first) {
  for (std::size_t i = 0; i < arms; ++i)
    smoothing_.push_back(stream_key(seed, "smoothing", fmt::format("arm-{}", i + 1)));
}

void SgdUcbSmom::update(std::uint32_t arm, std::span<const double> rewards) {
  if (pulls(arm) == 0) {
    std::copy(rewards.begin(), rewards.end(), means_.begin());
    x_[arm] = median(means_);
    return;
  }
  if (rewards.size() < plan().batch) return;
  DrawEngine draws(smoothing_[arm], updates_[arm]++);
  for (std::size_t j = 0; j < means_.size(); ++j) {
    double sum = 0;
    for (const double reward : rewards.subspan(j * options_.n, options_.n)) sum += reward;
    means_[j] = sum / options_.n + options_.theta * draw_normal(draws);
  }
  x_[arm] -= step_ * std::clamp(x_[arm] - median(means_), -options_.clip, options_.clip);
}

void SgdUcbSmom::prepare() { log_pulls_ = math::log(static_cast<double>(pulls())); }

double SgdUcbSmom::index(std::uint32_t arm) const {
  const double x = x_[arm];
  const auto n = static_cast<double>(pulls(arm));
  if (options_.index == SmomIndex::estimate) return x + options_.c * std::sqrt(log_pulls_ / n);
  const double f = -x * x / 2;
  return (options_.index == SmomIndex::printed ? f : -f) + options_.c / std::sqrt(n);
}

}  // namespace posse
