// SPDX-License-Identifier: Apache-2.0
// The client of Fed-PNE with variance-aware radii; the algorithm is described in protocol.hpp.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "actors/common/cell_rewards.hpp"
#include "actors/common/reward_moments.hpp"
#include "actors/fed_pne_variance/setup.hpp"
#include "core/exchange/gather.hpp"
#include "core/role/message.hpp"
#include "core/role/role.hpp"

namespace posse {

class FedPneVarianceClient final : public Role {
 public:
  /// Client number `client`, from 0. `setup` must outlive the client.
  FedPneVarianceClient(const FedPneVarianceSetup& setup, std::uint32_t client);

  void on_message(const Message& message, Reaction& reaction) override;
  std::optional<Waiting> waiting() const override;

 private:
  CellRewards rewards_;
  RoundsSeen plans_;
  std::uint32_t depth_ = 0;
  std::map<std::uint64_t, RewardMoments> moments_;  // of cells of this depth, by index
};

}  // namespace posse
