// SPDX-License-Identifier: Apache-2.0
// A client of FN-UCB (the paper: agent): evaluates the arm that its NeuralUcb chooses, and sends
// updates when the agents synchronise. The algorithm: see protocol.hpp.
#pragma once

#include <cstdint>
#include <optional>

#include "actors/fn_ucb/neural_ucb.hpp"
#include "actors/fn_ucb/setup.hpp"
#include "core/objective/problem.hpp"
#include "core/role/role.hpp"

namespace posse {

class FnUcbClient final : public Role {
 public:
  /// Client number `client`, from 0. `setup` must outlive the client.
  FnUcbClient(const FnUcbSetup& setup, std::uint32_t client);

  void on_start(Reaction& reaction) override;
  void on_message(const Message& message, Reaction& reaction) override;
  std::optional<Waiting> waiting() const override;

 private:
  Round round() const { return Round{static_cast<std::uint32_t>(bandit_.step() + 1)}; }
  bool is_last() const { return bandit_.step() + 1 == setup_->budget; }
  void play(Reaction& reaction);
  void send_update(Reaction& reaction);

  const FnUcbSetup* setup_;
  NeuralUcb bandit_;
  RewardSource rewards_;
  bool updated_ = false;  // its update of this step has been sent
};

}  // namespace posse
