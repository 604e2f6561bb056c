// SPDX-License-Identifier: Apache-2.0
// The server of PF-PNE with reuse; the algorithm is described in protocol.hpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "actors/common/gathering_server.hpp"
#include "actors/pf_pne_reuse/messages.hpp"
#include "actors/pf_pne_reuse/setup.hpp"
#include "core/domain/cell.hpp"

namespace posse {

/// Names of the counts and estimates that the server reports.
inline constexpr std::string_view kLastPlanCells = "cells of the last plan";
inline constexpr std::string_view kEstimatedDelta = "estimated Delta";

class PfPneReuseServer final : public GatheringServer<SpreadMeans> {
 public:
  /// `setup` must outlive the server.
  explicit PfPneReuseServer(const PfPneReuseSetup& setup);

  void on_start(Reaction& reaction) override;

 private:
  /// A cell of the level.
  struct Shared {
    std::uint64_t index = 0;
    double mean = 0;      // over clients and the rounds of the level
    double variance = 0;  // of the clients' means in the last round, divisor M - 1
  };

  void on_uploads(Reaction& reaction) override;
  /// Descends to the next level that is sampled.
  void descend();
  /// t_h: pulls of each cell by each client on this level.
  std::uint64_t target_pulls() const;
  std::vector<std::uint64_t> cells_left() const;
  void keep_level();
  /// Begins the next round of the level, or ends the search if it does not fit into T.
  void begin_round(Reaction& reaction);
  /// Ends the search because the next round does not fit into T.
  void spend_rest(Reaction& reaction);
  /// Tells all clients to search alone, below the kept cells.
  void search_apart(Reaction& reaction);
  void pull_best(Reaction& reaction);
  void send_plan(std::uint32_t depth,
                 std::uint32_t pulls,
                 std::vector<std::uint64_t> cells,
                 Reaction& reaction);
  void end_level(Reaction& reaction);
  void merge_uploads();
  /// Removes the cells that cannot contain the maximum of f̄.
  void eliminate();
  /// Lower confidence bound of the clients' spread at the cells of the level; nothing as long as
  /// there is no estimate of the noise.
  std::optional<double> clients_spread() const;
  void finish(Reaction& reaction) const;

  const PfPneReuseSetup* setup_;
  std::uint32_t depth_ = 0;       // h
  std::vector<Shared> level_;     // remaining cells of K, cut after those that the budget can reach
  std::uint32_t kept_depth_ = 0;  // of the last completed level
  std::vector<std::uint64_t> kept_{1};  // its remaining cells
  bool clients_differ_ = false;         // the last estimated spread is above 0
  std::uint64_t pulls_ = 0;             // per cell and client, in the open round
  std::uint64_t pulls_in_level_ = 0;    // per cell and client, in all rounds of the level
  std::uint64_t steps_ = 0;             // t
  double lower_;                        // the largest lower bound of f̄ at any cell
  Cell best_{};                         // that cell
  double noise_ = 0;                    // sum of single estimates of the noise variance
  double noise_freedom_ = 0;            // number of these estimates
  std::uint64_t cells_of_last_plan_ = 0;
};

}  // namespace posse
