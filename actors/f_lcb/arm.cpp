// SPDX-License-Identifier: Apache-2.0
#include "actors/f_lcb/arm.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>
#include <utility>

#include "actors/common/restarted.hpp"
#include "actors/common/star.hpp"
#include "actors/f_lcb/messages.hpp"
#include "core/base/hash.hpp"

namespace posse {

FunctionalArm::FunctionalArm(const ArmSet& arms, std::uint32_t arm) : arm_(&arms.arms.at(arm)) {}

void FunctionalArm::on_restart(Reaction& reaction) {
  if (std::exchange(anew_, false)) reaction.send(kAgent, Round{}, Restarted{});
}

void FunctionalArm::on_message(const Message& message, Reaction& reaction) {
  const auto* step = message.get<Step>();
  if (step == nullptr) return;
  Instance& instance = instances_[step->instance];
  if (!(instance.last < message.round)) return;  // a duplicate
  instance.last = message.round;
  if (!instance.optimizer)
    instance.optimizer = arm_->start(
        before_ == 0
            ? step->instance
            : static_cast<std::uint32_t>(hash_combine(before_, std::uint64_t{step->instance} + 1)));
  reaction.evaluate(1);
  instance.optimizer->step();
  if (!std::isfinite(instance.optimizer->value()) || std::isnan(instance.optimizer->bound()))
    throw std::runtime_error(fmt::format("{} has the value {} and the bound {} after {} pulls",
                                         arm_->name,
                                         instance.optimizer->value(),
                                         instance.optimizer->bound(),
                                         instance.optimizer->steps()));
  reaction.send(kAgent,
                message.round,
                Stepped{step->instance,
                        instance.optimizer->steps(),
                        instance.optimizer->value(),
                        instance.optimizer->bound()});
}

}  // namespace posse
