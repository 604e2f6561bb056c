// The agent's and an arm's role of a stochastic bandit; described in reward_bandit.hpp.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "actors/reward_bandit/policy/reward_policy.hpp"
#include "actors/reward_bandit/protocol.hpp"
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
  std::optional<RewardDraw> under_way_;  // asked for in round_
  std::optional<std::uint32_t> answer_;  // as reported
};

class RewardArm final : public Role {
 public:
  /// Arm number `arm`, from 0.
  RewardArm(const ArmSet& arms, std::uint32_t arm);

  void on_message(const Message& message, Reaction& reaction) override;

 private:
  const Arm* arm_;
  Round last_{};  // of its last request
  std::uint64_t drawn_ = 0;
};

}  // namespace posse
