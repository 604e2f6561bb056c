// SPDX-License-Identifier: Apache-2.0
// The agent of a bandit with heavy-tailed rewards: asks arms for rewards, as its policy decides.
// The protocol: see protocol.hpp.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "actors/reward_bandit/policy/reward_policy.hpp"
#include "core/arm/arm.hpp"
#include "core/role/role.hpp"

namespace posse {

class RewardAgent final : public Role {
 public:
  /// `arms` must outlive the agent.
  RewardAgent(const ArmSet& arms, std::unique_ptr<RewardPolicy> policy);

  void on_start(Reaction& reaction) override { decide(reaction); }
  void on_message(const Message& message, Reaction& reaction) override;
  std::optional<Waiting> waiting() const override;

 private:
  void decide(Reaction& reaction);
  void end_round(const RewardDraw& draw, Reaction& reaction);

  const ArmSet* arms_;
  std::unique_ptr<RewardPolicy> policy_;
  Round round_{};
  std::optional<RewardDraw> under_way_;  // requested in round_
  std::optional<std::uint32_t> answer_;  // as last observed
};

}  // namespace posse
