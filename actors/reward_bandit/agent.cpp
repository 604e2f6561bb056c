// SPDX-License-Identifier: Apache-2.0
#include "actors/reward_bandit/agent.hpp"

#include <fmt/format.h>

#include <utility>

#include "actors/common/restarted.hpp"
#include "actors/common/star.hpp"
#include "actors/reward_bandit/messages.hpp"

namespace posse {

RewardAgent::RewardAgent(const ArmSet& arms, std::unique_ptr<RewardPolicy> policy)
    : arms_(&arms), policy_(std::move(policy)) {}

void RewardAgent::decide(Reaction& reaction) {
  under_way_ = policy_->next();
  if (!under_way_) {
    reaction.finish();
    return;
  }
  round_ = Round{round_.value + 1};
  reaction.observe(RoundBegan{round_});
  reaction.send(node_of_arm(under_way_->arm), round_, Draw{under_way_->count});
}

void RewardAgent::on_message(const Message& message, Reaction& reaction) {
  if (message.get<Restarted>() != nullptr && under_way_ &&
      message.from == node_of_arm(under_way_->arm))
    reaction.send(message.from, round_, Draw{under_way_->count});
  const auto* reply = message.get<Rewards>();
  if (reply == nullptr || !under_way_ || message.round != round_ ||
      message.from != node_of_arm(under_way_->arm))
    return;  // a duplicate
  const RewardDraw draw = *under_way_;
  const std::uint64_t before = policy_->pulls(draw.arm);
  policy_->take(draw, reply->rewards.numbers);
  for (std::uint64_t k = before + 1; k <= before + draw.count; ++k)
    reaction.observe(ArmPulled{draw.arm, 0, k, arms_->arms[draw.arm].minimum.value_or(0), 0});
  if (answer_ != policy_->answer()) {
    answer_ = policy_->answer();
    reaction.observe(ArmAnswered{*answer_});
  }
  end_round(draw, reaction);
  decide(reaction);
}

void RewardAgent::end_round(const RewardDraw& draw, Reaction& reaction) {
  RoundEnded ended;
  ended.round = round_;
  ended.best = Cell{0, policy_->answer() + 1};
  ended.active_cells = arms_->size();
  ended.pulls_per_cell = draw.count;
  ended.steps = policy_->pulls();
  ended.arrived = ended.expected = 1;
  reaction.observe(std::move(ended));
}

std::optional<Waiting> RewardAgent::waiting() const {
  if (!under_way_) return std::nullopt;
  return Waiting{fmt::format("Rewards of round {}", round_.value),
                 Rewards::kName,
                 round_,
                 {node_of_arm(under_way_->arm)}};
}

}  // namespace posse
