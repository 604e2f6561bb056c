// The client of Fed-PNE; the algorithm is described in protocol.hpp.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "actors/common/cell_rewards.hpp"
#include "actors/fed_pne/active_cells.hpp"
#include "actors/fed_pne/private_release.hpp"
#include "actors/fed_pne/setup.hpp"
#include "core/domain/cell.hpp"
#include "core/exchange/gather.hpp"
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
  struct Task {
    Round phase;
    std::uint32_t depth;
    std::uint64_t pulls;  // of each cell
    std::uint64_t cells;
  };
  /// Turns K^{p-1} into K^p and returns the pulls of each cell; nothing if the plan does not refer
  /// to the K that this client holds.
  std::optional<std::uint64_t> follow(const CompactPlan& plan);
  /// Pulls the cells `index` in order until the budget is spent, and uploads the means unless the
  /// phase is cut. `index` holds all cells of the task or its first ones.
  void carry_out(const Task& task, const std::vector<std::uint64_t>& index, Reaction& reaction);

  /// Sum of the next `count` rewards of the cell; with privacy, each is clipped to [0, 1].
  double pull(Cell cell, std::uint64_t count, Reaction& reaction);

  const FedPneSetup* setup_;
  CellRewards rewards_;
  PrivateRelease release_;
  MeanRounding rounding_;
  RoundsSeen plans_;
  // Only with compact plans:
  ActiveCells active_;       // K of the last plan
  std::uint32_t phase_ = 0;  // of the last plan
};

}  // namespace posse
