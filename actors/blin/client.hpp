// SPDX-License-Identifier: Apache-2.0
// A client of BLiN: pulls the cubes of a batch and uploads their means. The algorithm: see
// protocol.hpp.
#pragma once

#include <cstdint>
#include <optional>

#include "actors/blin/setup.hpp"
#include "actors/common/cell_rewards.hpp"
#include "core/exchange/gather.hpp"
#include "core/role/role.hpp"

namespace posse {

class BlinClient final : public Role {
 public:
  /// Client number `client`, from 0. `setup` must outlive the client.
  BlinClient(const BlinSetup& setup, std::uint32_t client);

  /// See Protocol::make_role_anew.
  void go_on_after(std::uint64_t evaluations) { rewards_.go_on_after(evaluations); }
  void on_message(const Message& message, Reaction& reaction) override;
  std::optional<Waiting> waiting() const override;

 private:
  const BlinSetup* setup_;
  CellRewards rewards_;
  RoundsSeen batches_;
};

}  // namespace posse
