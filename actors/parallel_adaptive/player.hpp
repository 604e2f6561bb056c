// SPDX-License-Identifier: Apache-2.0
// The player of the parallel X-armed bandit with a grid of smoothness constants; the algorithm is
// described in protocol.hpp.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "actors/common/cell_rewards.hpp"
#include "actors/parallel/bounds.hpp"
#include "actors/parallel_adaptive/bounds.hpp"
#include "core/domain/cell.hpp"
#include "core/domain/partition.hpp"
#include "core/exchange/peer_gather.hpp"
#include "core/objective/problem.hpp"
#include "core/role/message.hpp"
#include "core/role/role.hpp"

namespace posse {

/// Settings that all players of a run share.
struct ParallelAdaptiveSetup {
  const Problem* problem;
  Partition partition;
  std::uint32_t players;
  std::uint64_t budget;                               // n
  theory::AdaptiveParameters theory;                  // of the grid
  std::vector<theory::ParallelParameters> instances;  // nu_max, rho_i, delta; m and n_e
};

class ParallelAdaptivePlayer final : public Role {
 public:
  /// `setup` must outlive the player.
  ParallelAdaptivePlayer(const ParallelAdaptiveSetup& setup, NodeId self);

  void on_start(Reaction& reaction) override;
  void on_message(const Message& message, Reaction& reaction) override;
  std::optional<Waiting> waiting() const override;

 private:
  /// A cell of the table.
  struct Entry {
    double own_sum = 0;         // sum of this player's rewards
    std::uint64_t count = 0;    // exchanged evaluations per player
    std::uint64_t planned = 0;  // evaluations per player, with those of the open round
    double mean = 0;            // of all players' rewards
  };
  struct Instance {
    std::uint32_t depth = 0;              // h
    std::vector<std::uint64_t> cells{1};  // S_h, cut after the cells that the budget can reach
    std::uint64_t count = 1;              // |S_h|
    std::uint64_t account = 0;            // evaluations that its complete levels cost it alone
    std::optional<Cell> best;             // of its last complete level
    std::uint64_t kept = 0;               // cells that this level kept
    bool ended = false;                   // its search is over
    bool joined = false;                  // in this round
  };
  struct Evaluation {
    Cell cell;
    std::uint64_t count;  // by every player
  };

  /// Runs round by round until it has to wait for another player or the budget is spent.
  void proceed(Reaction& reaction);
  /// Plans a round: the instances that join and their missing evaluations. False if exploration is
  /// over.
  bool plan_levels();
  /// Lets instances join that fit into the allowance. True if an instance completed a level that
  /// needed no new evaluations, since its next level may fit as well.
  bool join();
  /// Evaluations that the instance's level needs beyond the table and this round's plan.
  std::uint64_t missing_evaluations(const Instance& instance, std::uint64_t pulls) const;
  bool complete_in_table(const Instance& instance, std::uint64_t pulls) const;
  void plan(const Instance& instance, std::uint64_t pulls);
  void complete_level(std::size_t number);
  /// Plans the final choice; false if there is only one output or too few evaluations are left.
  bool plan_choice();
  void evaluate_round(Reaction& reaction);
  void complete_round(Reaction& reaction);
  void spend_leftover(Reaction& reaction);
  /// The output with the best mean in the table; the root if there is none.
  Cell best_in_table() const;
  void recommend(Cell cell, Reaction& reaction) const;
  std::uint64_t pulls_of(std::size_t number) const;
  std::uint64_t exploration_left() const;

  const ParallelAdaptiveSetup* setup_;
  std::uint32_t player_;
  CellRewards rewards_;
  std::uint64_t exploration_;  // n_e
  std::uint64_t allowance_;
  std::vector<Instance> instances_;
  std::map<Cell, Entry> table_;         // ascending by (depth, index): the order of evaluations
  std::vector<Evaluation> round_plan_;  // of the open round
  std::uint64_t planned_ = 0;           // its evaluations per player
  std::uint32_t round_ = 1;             // the open round
  bool choosing_ = false;               // the open round is the final choice
  PeerGather gather_;                   // SharedMeans of the open round
  std::optional<Cell> winner_;
  bool done_ = false;
};

}  // namespace posse
