// SPDX-License-Identifier: Apache-2.0
// A client of Fed1-UCB and Fed2-UCB: pulls the active arms and uploads its running means. The
// algorithm: see protocol.hpp.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "actors/fed_ucb/setup.hpp"
#include "core/exchange/gather.hpp"
#include "core/objective/problem.hpp"
#include "core/role/message.hpp"
#include "core/role/role.hpp"

namespace posse {

class FedUcbClient final : public Role {
 public:
  /// Client number `client`, from 0. `setup` must outlive the client.
  FedUcbClient(const FedUcbSetup& setup, std::uint32_t client);

  /// See Protocol::make_role_anew.
  void go_on_after(std::uint64_t evaluations) { rewards_.go_on_after(evaluations); }
  void on_message(const Message& message, Reaction& reaction) override;
  std::optional<Waiting> waiting() const override;

 private:
  void play(const Message& message,
            std::uint32_t phase,
            std::uint64_t pulls,
            std::span<const std::uint32_t> arms,
            Reaction& reaction);
  /// The next `count` rewards of an arm.
  void pull(std::uint32_t arm, std::uint64_t count, Reaction& reaction);
  std::uint64_t left() const { return horizon_ - rewards_.pulls(); }

  const FedUcbSetup* setup_;
  RewardSource rewards_;
  RoundsSeen plans_;
  std::uint64_t horizon_;            // T - t for a client that joined at step t
  std::vector<double> sums_;         // of rewards, by arm
  std::uint64_t pulls_per_arm_ = 0;  // the same for every active arm
};

}  // namespace posse
