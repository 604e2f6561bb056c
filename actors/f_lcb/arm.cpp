#include "actors/f_lcb/arm.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "actors/common/star.hpp"
#include "actors/f_lcb/messages.hpp"

namespace posse {

FunctionalArm::FunctionalArm(const ArmSet& arms, std::uint32_t arm) : arm_(&arms.arms.at(arm)) {}

void FunctionalArm::on_message(const Message& message, Reaction& reaction) {
  const auto* step = message.get<Step>();
  if (step == nullptr) return;
  Instance& instance = instances_[step->instance];
  if (!(instance.last < message.round)) return;  // a duplicate
  instance.last = message.round;
  if (!instance.optimizer) instance.optimizer = arm_->start(step->instance);
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
