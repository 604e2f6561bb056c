// SPDX-License-Identifier: Apache-2.0
// The player of the parallel X-armed bandit; the algorithm is described in protocol.hpp.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "actors/common/cell_rewards.hpp"
#include "actors/parallel/bounds.hpp"
#include "actors/parallel/exchange.hpp"
#include "core/domain/cell.hpp"
#include "core/domain/partition.hpp"
#include "core/exchange/mean_encoding.hpp"
#include "core/objective/problem.hpp"
#include "core/role/message.hpp"
#include "core/role/role.hpp"

namespace posse {

/// Use of the budget that remains when the next level does not fit.
enum class Leftover { pull, stop, exploit };

/// Settings that all players of a run share.
struct ParallelSetup {
  const Problem* problem;
  Partition partition;
  std::uint32_t players;
  std::uint64_t budget;               // n
  theory::ParallelParameters theory;  // m, n, nu1, rho, delta
  Leftover leftover;
  ExchangeSetup exchange;
};

class ParallelPlayer final : public Role {
 public:
  /// `setup` must outlive the player.
  ParallelPlayer(const ParallelSetup& setup, NodeId self);

  void on_start(Reaction& reaction) override;
  void on_message(const Message& message, Reaction& reaction) override;
  std::optional<Waiting> waiting() const override;

 private:
  /// Runs level by level until it has to wait for another player or the search ends.
  void next_level(Reaction& reaction);
  /// Computes T_h; false if the level does not fit into the budget or lies below the depth limit.
  bool plan_level();
  void evaluate_level(Reaction& reaction);
  void complete_level(Reaction& reaction);
  void spend_leftover(Reaction& reaction);
  void recommend(Reaction& reaction) const;

  Round round() const { return {depth_ + 1}; }

  const ParallelSetup* setup_;
  std::uint32_t player_;
  CellRewards rewards_;
  std::uint32_t depth_ = 0;               // h
  std::vector<std::uint64_t> active_{1};  // S_h, cut after the cells that the budget can reach
  std::uint64_t cells_ = 1;               // |S_h|
  std::uint64_t pulls_per_cell_ = 0;      // T_h
  Cell best_{};                           // of the last complete level; at first the root
  std::unique_ptr<Exchange> exchange_;    // of the means of depth h
  MeanRounding rounding_;
  bool done_ = false;
};

}  // namespace posse
