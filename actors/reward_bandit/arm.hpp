// SPDX-License-Identifier: Apache-2.0
// An arm of a bandit with heavy-tailed rewards: draws as many rewards as the agent asks for. The
// protocol: see protocol.hpp.
#pragma once

#include <cstdint>

#include "core/arm/arm.hpp"
#include "core/role/role.hpp"

namespace posse {

class RewardArm final : public Role {
 public:
  /// Arm number `arm`, from 0. `arms` must outlive this.
  RewardArm(const ArmSet& arms, std::uint32_t arm);

  /// See Protocol::make_role_anew.
  void go_on_after(std::uint64_t evaluations) {
    drawn_ = evaluations;
    anew_ = true;
  }
  void on_restart(Reaction& reaction) override;
  void on_message(const Message& message, Reaction& reaction) override;

 private:
  const Arm* arm_;
  Round last_{};  // of its last request
  std::uint64_t drawn_ = 0;
  bool anew_ = false;  // it has lost its state and not told the agent
};

}  // namespace posse
