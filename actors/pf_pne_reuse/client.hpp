// SPDX-License-Identifier: Apache-2.0
// The client of PF-PNE with reuse; the algorithm is described in protocol.hpp.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "actors/common/cell_rewards.hpp"
#include "actors/fed_pne/messages.hpp"
#include "actors/pf_pne_reuse/frontier_search.hpp"
#include "actors/pf_pne_reuse/setup.hpp"
#include "core/domain/cell.hpp"
#include "core/exchange/gather.hpp"
#include "core/role/message.hpp"
#include "core/role/role.hpp"

namespace posse {

class PfPneReuseClient final : public Role {
 public:
  /// Client number `client`, from 0. `setup` must outlive the client.
  PfPneReuseClient(const PfPneReuseSetup& setup, std::uint32_t client);

  void on_start(Reaction& reaction) override;
  void on_message(const Message& message, Reaction& reaction) override;
  std::optional<Waiting> waiting() const override;

 private:
  struct Samples {
    double sum = 0;
    std::uint64_t count = 0;
  };

  /// Adds the cells of the last level to the client's tree: as inner cells if they or descendants
  /// of them are in `left`, cells of depth `depth`, and as leaves otherwise.
  void add_level_to_tree(std::uint32_t depth, const std::vector<std::uint64_t>& left);
  void pull_together(const PhasePlan& plan, Round round, Reaction& reaction);
  void pull_until_end(Cell cell, Reaction& reaction);
  void search_alone(const PhasePlan& plan, Reaction& reaction);
  void recommend(Cell cell, Reaction& reaction);

  const PfPneReuseSetup* setup_;
  CellRewards rewards_;
  RoundsSeen plans_;
  std::uint32_t depth_ = 0;                 // of the level
  std::map<std::uint64_t, Samples> level_;  // its cells with the own samples
  FrontierSearch search_;
  std::optional<Cell> recommended_;
};

}  // namespace posse
