// SPDX-License-Identifier: Apache-2.0
// The server of Fed-PNE; the algorithm is described in protocol.hpp.
#pragma once

#include <cstdint>
#include <vector>

#include "actors/common/gathering_server.hpp"
#include "actors/common/local_means.hpp"
#include "actors/fed_pne/active_cells.hpp"
#include "actors/fed_pne/setup.hpp"
#include "core/domain/cell.hpp"

namespace posse {

class FedPneServer final : public GatheringServer<LocalMeans> {
 public:
  /// `setup` must outlive the server.
  explicit FedPneServer(const FedPneSetup& setup);

  void on_start(Reaction& reaction) override;

 private:
  void on_uploads(Reaction& reaction) override;
  Payload decoded(const Payload& payload) const override;
  /// Splits K without sampling while |K| tau_h <= M or K is the root (Algorithm 2, line 5).
  void expand();
  void split(const std::vector<std::uint64_t>& kept, std::uint64_t kept_count);
  void begin_phase(Reaction& reaction);
  void send_plan(Round phase, bool cut, Reaction& reaction) const;
  void eliminate(Reaction& reaction);
  void recommend(Reaction& reaction) const;

  const FedPneSetup* setup_;
  ActiveCells active_;                 // K, cut after the cells that the budget can reach
  std::uint32_t parent_depth_ = 0;     // of K in the previous phase
  std::vector<std::uint8_t> kept_{1};  // bits: which of its cells remain (compact plans)
  std::uint64_t steps_ = 0;            // t
  std::uint64_t pulls_per_cell_ = 0;   // t_h
  Cell best_{};                        // of the last complete phase; at first the root
  bool at_depth_limit_ = false;        // the search is over, only the best cell is pulled
};

}  // namespace posse
