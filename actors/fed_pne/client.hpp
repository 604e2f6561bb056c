// SPDX-License-Identifier: Apache-2.0
// The client of Fed-PNE; the algorithm is described in protocol.hpp.
#pragma once

#include <cstdint>
#include <optional>

#include "actors/common/cell_rewards.hpp"
#include "actors/fed_pne/plan_reader.hpp"
#include "actors/fed_pne/private_release.hpp"
#include "actors/fed_pne/setup.hpp"
#include "core/base/ids.hpp"
#include "core/domain/cell.hpp"
#include "core/exchange/mean_encoding.hpp"
#include "core/role/message.hpp"
#include "core/role/role.hpp"

namespace posse {

class FedPneClient final : public Role {
 public:
  /// Client number `client`, from 0. `setup` must outlive the client.
  FedPneClient(const FedPneSetup& setup, std::uint32_t client);

  /// See Protocol::make_role_anew.
  void go_on_after(std::uint64_t evaluations) {
    rewards_.go_on_after(evaluations);
    release_.go_on_after(evaluations);
    rounding_.go_on_after(evaluations);
  }
  void on_message(const Message& message, Reaction& reaction) override;
  std::optional<Waiting> waiting() const override;

 private:
  /// Pulls the cells in order until the budget is spent, and uploads the means unless the phase is
  /// cut.
  void carry_out(const PhaseTask& task, Reaction& reaction);

  /// Sum of the next `count` rewards of the cell; with privacy, each is clipped to [0, 1].
  double pull(Cell cell, std::uint64_t count, Reaction& reaction);

  const FedPneSetup* setup_;
  CellRewards rewards_;
  PrivateRelease release_;
  MeanRounding rounding_;
  PlanReader plans_;
  NodeId above_;  // the server or its edge
};

}  // namespace posse
