// SPDX-License-Identifier: Apache-2.0
// Stage 1 at a client, for the clients of PF-PNE and of the systems that search alone in another
// way; the stage is described in protocol.hpp.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "actors/common/cell_rewards.hpp"
#include "actors/pf_pne/messages.hpp"
#include "actors/pf_pne/setup.hpp"
#include "core/domain/cell.hpp"
#include "core/exchange/gather.hpp"
#include "core/role/message.hpp"
#include "core/role/role.hpp"

namespace posse {

class FirstStageClient : public Role {
 public:
  /// See Protocol::make_role_anew.
  void go_on_after(std::uint64_t evaluations) { rewards_.go_on_after(evaluations); }
  void on_start(Reaction& reaction) final;
  void on_message(const Message& message, Reaction& reaction) final;
  std::optional<Waiting> waiting() const final;

 protected:
  /// Client number `client`, from 0. `setup` must outlive the client.
  FirstStageClient(const PfPneSetup& setup, std::uint32_t client);

  /// Makes the next `count` evaluations, of a cell of the present depth, and keeps the rewards.
  /// Returns their sum.
  virtual double sample(Cell cell, std::uint64_t count, Reaction& reaction) = 0;
  /// Stores what the server says of a depth. Depths ascend, but some may be missing.
  virtual void store(const Survivors& survivors, Reaction& reaction) = 0;
  /// Stage 1 is over, and evaluations are left, or there is no stage 1.
  virtual void search_alone(Reaction& reaction) = 0;

  /// The depth whose cells were pulled last.
  std::uint32_t depth() const { return depth_; }
  CellRewards& rewards() { return rewards_; }
  const CellRewards& rewards() const { return rewards_; }
  void recommend(Cell cell, Reaction& reaction) const;

 private:
  /// Pulls `active_`, uploads the means unless the level is cut.
  void pull_level(Reaction& reaction);

  const PfPneSetup* setup_;
  CellRewards rewards_;
  RoundsSeen survivors_seen_;
  std::uint32_t depth_ = 0;               // h
  std::vector<std::uint64_t> active_{1};  // K^h
};

}  // namespace posse
