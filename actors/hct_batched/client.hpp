// SPDX-License-Identifier: Apache-2.0
// The client of batched HCT: evaluates the cells of a batch and uploads their means, for VHCT with
// variances. The algorithm: see protocol.hpp.
#pragma once

#include <cstdint>
#include <optional>

#include "actors/common/cell_rewards.hpp"
#include "actors/hct_batched/setup.hpp"
#include "core/exchange/gather.hpp"
#include "core/role/message.hpp"
#include "core/role/role.hpp"

namespace posse {

class HctBatchedClient final : public Role {
 public:
  /// Client number `client`, from 0. `setup` must outlive the client.
  HctBatchedClient(const HctBatchedSetup& setup, std::uint32_t client);

  /// See Protocol::make_role_anew.
  void go_on_after(std::uint64_t evaluations) { rewards_.go_on_after(evaluations); }
  void on_message(const Message& message, Reaction& reaction) override;
  std::optional<Waiting> waiting() const override;

 private:
  const HctBatchedSetup* setup_;
  CellRewards rewards_;
  RoundsSeen plans_;
};

}  // namespace posse
