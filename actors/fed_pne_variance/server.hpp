// SPDX-License-Identifier: Apache-2.0
// The server of Fed-PNE with variance-aware radii; the algorithm is described in protocol.hpp.
#pragma once

#include <cstdint>
#include <vector>

#include "actors/common/gathering_server.hpp"
#include "actors/common/local_moments.hpp"
#include "actors/fed_pne_variance/messages.hpp"
#include "actors/fed_pne_variance/setup.hpp"
#include "core/domain/cell.hpp"

namespace posse {

class FedPneVarianceServer final : public GatheringServer<LocalMoments> {
 public:
  /// `setup` must outlive the server.
  explicit FedPneVarianceServer(const FedPneVarianceSetup& setup);

  void on_start(Reaction& reaction) override;

 private:
  /// A cell of K.
  struct Active {
    std::uint64_t index = 1;
    double variance = 0;  // V: its own, or its parent's as long as it has no rewards
    double mean = 0;
    std::uint64_t pulls = 0;  // by each client in this phase
    bool planned = false;     // it is part of the open exchange
  };

  void on_uploads(Reaction& reaction) override;
  /// Splits K without sampling while the sum of its tau_h is at most M or K is the root.
  void expand();
  void split();
  std::uint64_t tau(const Active& cell) const;
  /// The pulls by each client that the cell should have, given its pulls so far and its V.
  std::uint64_t target_pulls(const Active& cell) const;
  /// Sends the next plan. After a cut plan the server finishes.
  void send_plan(Reaction& reaction);
  void take_uploads();
  /// Removes cells from K by step 3 of protocol.hpp.
  void eliminate();
  void close_exchange(Reaction& reaction);
  void recommend(Reaction& reaction) const;

  const FedPneVarianceSetup* setup_;
  std::uint32_t depth_ = 0;          // h
  std::vector<Active> active_;       // K, ascending, cut after the cells that the budget can reach
  std::uint64_t steps_ = 0;          // t
  std::uint64_t planned_pulls_ = 0;  // per client, in the open exchange
  Cell best_{};                      // of the last complete phase; at first the root
  bool at_depth_limit_ = false;      // the search is over, only the best cell is pulled
};

}  // namespace posse
