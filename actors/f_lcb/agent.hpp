// SPDX-License-Identifier: Apache-2.0
// The agent of a functional bandit: asks arms for steps, as its allocation decides. The protocol:
// see protocol.hpp.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "actors/f_lcb/allocation/allocation.hpp"
#include "core/arm/arm.hpp"
#include "core/role/role.hpp"

namespace posse {

class FunctionalAgent final : public Role {
 public:
  /// `arms` must outlive the agent.
  FunctionalAgent(const ArmSet& arms, std::unique_ptr<Allocation> allocation);

  void on_start(Reaction& reaction) override { decide(reaction); }
  void on_message(const Message& message, Reaction& reaction) override;
  std::optional<Waiting> waiting() const override;

 private:
  /// A pull under way, and the round that started it.
  struct UnderWay {
    Round round;
    Pull pull;
  };
  /// A round with replies missing.
  struct OpenRound {
    Round round;
    std::uint32_t pulls = 0, missing = 0;
  };
  void decide(Reaction& reaction);
  void take_reply_of(Round round, Reaction& reaction);
  void end_round(const OpenRound& round, Reaction& reaction);

  const ArmSet* arms_;
  std::unique_ptr<Allocation> allocation_;
  std::vector<Pull> starting_;
  std::vector<UnderWay> under_way_;
  std::vector<OpenRound> open_;  // by number
  Round round_{};
  std::uint64_t pulls_ = 0;
  bool done_ = false;
};

}  // namespace posse
