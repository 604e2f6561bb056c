// The player's role of the parallel bandit over a grid of smoothness constants; what it does is
// described in parallel_adaptive.hpp.
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

/// What all players of a run share.
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
  /// What is known of a cell.
  struct Entry {
    double own_sum = 0;         // of this player's rewards
    std::uint64_t count = 0;    // evaluations per player that are exchanged
    std::uint64_t planned = 0;  // with those of this round
    double mean = 0;            // of all players' rewards
  };
  struct Instance {
    std::uint32_t depth = 0;              // h
    std::vector<std::uint64_t> cells{1};  // S_h, or as much of it as the budget reaches
    std::uint64_t count = 1;              // |S_h|
    std::uint64_t account = 0;            // evaluations of its complete levels, had it been alone
    std::optional<Cell> best;             // of its last complete level
    std::uint64_t kept = 0;               // cells that level kept
    bool ended = false;                   // goes no deeper
    bool joined = false;                  // in this round
  };
  struct Evaluation {
    Cell cell;
    std::uint64_t count;  // by every player
  };

  /// Goes on round by round until somebody has to be waited for or the budget is spent.
  void proceed(Reaction& reaction);
  /// Whom the allowance lets join, and what they lack; false if exploration is over.
  bool plan_levels();
  /// Lets the instances join that fit. True if any completed a level that lacked nothing instead:
  /// its next level may fit, too.
  bool join();
  /// Evaluations that the table lacks for the instance's level, beyond this round's plan.
  std::uint64_t lacks(const Instance& instance, std::uint64_t pulls) const;
  bool complete_in_table(const Instance& instance, std::uint64_t pulls) const;
  void plan(const Instance& instance, std::uint64_t pulls);
  void complete_level(std::size_t number);
  /// The last round: the instances' outputs, if there is something to choose and enough is left.
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
  std::map<Cell, Entry> table_;         // (depth, index) ascending: the order of evaluations
  std::vector<Evaluation> round_plan_;  // of the open round
  std::uint64_t planned_ = 0;           // its evaluations per player
  std::uint32_t round_ = 1;             // the open round
  bool choosing_ = false;               // the open round is the choice
  PeerGather gather_;                   // SharedMeans of the open round
  std::optional<Cell> winner_;
  bool done_ = false;
};

}  // namespace posse
