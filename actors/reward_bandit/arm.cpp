// SPDX-License-Identifier: Apache-2.0
#include "actors/reward_bandit/arm.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>
#include <utility>

#include "actors/common/restarted.hpp"
#include "actors/common/star.hpp"
#include "actors/reward_bandit/messages.hpp"

namespace posse {

RewardArm::RewardArm(const ArmSet& arms, std::uint32_t arm) : arm_(&arms.arms.at(arm)) {}

void RewardArm::on_restart(Reaction& reaction) {
  if (std::exchange(anew_, false)) reaction.send(kAgent, Round{}, Restarted{});
}

void RewardArm::on_message(const Message& message, Reaction& reaction) {
  const auto* draw = message.get<Draw>();
  if (draw == nullptr || !(last_ < message.round)) return;  // a duplicate
  last_ = message.round;
  reaction.evaluate(draw->count);
  Rewards reply;
  reply.rewards.numbers.reserve(draw->count);
  for (std::uint32_t j = 0; j < draw->count; ++j) {
    const double reward = arm_->reward(drawn_++);
    if (!std::isfinite(reward))
      throw std::runtime_error(
          fmt::format("{}: reward number {} is {}, not finite", arm_->name, drawn_, reward));
    reply.rewards.numbers.push_back(reward);
  }
  reaction.send(kAgent, message.round, std::move(reply));
}

}  // namespace posse
