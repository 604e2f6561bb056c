// The player's role of the parallel X-armed bandit; what it does is described in parallel.hpp.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "actors/common/cell_rewards.hpp"
#include "actors/parallel/bounds.hpp"
#include "core/domain/cell.hpp"
#include "core/domain/partition.hpp"
#include "core/exchange/peer_gather.hpp"
#include "core/objective/problem.hpp"
#include "core/role/message.hpp"
#include "core/role/role.hpp"

namespace posse {

enum class Leftover { pull, stop, exploit };

/// What all players of a run share.
struct ParallelSetup {
  const Problem* problem;
  Partition partition;
  std::uint32_t players;
  std::uint64_t budget;               // n
  theory::ParallelParameters theory;  // nu1, rho, delta; m and n again
  Leftover leftover;
};

class ParallelPlayer final : public Role {
 public:
  /// `setup` must outlive the player.
  ParallelPlayer(const ParallelSetup& setup, NodeId self);

  void on_start(Reaction& reaction) override;
  void on_message(const Message& message, Reaction& reaction) override;
  std::optional<Waiting> waiting() const override;

 private:
  /// Goes on level by level until somebody has to be waited for or the budget is spent.
  void next_level(Reaction& reaction);
  /// Computes T_h; false if the level can't be completed within the budget, or if there is none.
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
  std::vector<std::uint64_t> active_{1};  // S_h, or as much of it as the budget reaches
  std::uint64_t cells_ = 1;               // |S_h|
  std::uint64_t pulls_per_cell_ = 0;      // T_h
  Cell best_{};                           // of the last complete level; the root before
  PeerGather gather_;                     // LevelMeans of depth h
  bool done_ = false;
};

}  // namespace posse
