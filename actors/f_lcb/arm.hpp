// SPDX-License-Identifier: Apache-2.0
// An arm of a functional bandit: owns its optimizers and makes one step per request. The protocol:
// see protocol.hpp.
#pragma once

#include <cstdint>
#include <map>
#include <memory>

#include "core/arm/arm.hpp"
#include "core/optimizer/optimizer.hpp"
#include "core/role/role.hpp"

namespace posse {

class FunctionalArm final : public Role {
 public:
  /// Arm number `arm`, from 0. `arms` must outlive this.
  FunctionalArm(const ArmSet& arms, std::uint32_t arm);

  /// See Protocol::make_role_anew.
  void go_on_after(std::uint64_t evaluations) {
    before_ = evaluations;
    anew_ = true;
  }
  void on_restart(Reaction& reaction) override;
  void on_message(const Message& message, Reaction& reaction) override;

 private:
  struct Instance {
    std::unique_ptr<Optimizer> optimizer;
    Round
        last{};  // of its last request; an allocation has at most one pull of an instance under way
  };
  const Arm* arm_;
  std::uint64_t before_ =
      0;               // evaluations before it lost its state; its noise is another one since
  bool anew_ = false;  // and has not told the agent
  std::map<std::uint32_t, Instance> instances_;
};

}  // namespace posse
