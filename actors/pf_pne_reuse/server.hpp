// The server of PF-PNE with reuse; the algorithm is described in protocol.hpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "actors/pf_pne_reuse/setup.hpp"
#include "core/domain/cell.hpp"
#include "core/exchange/gather.hpp"
#include "core/role/message.hpp"
#include "core/role/role.hpp"

namespace posse {

/// The names under which the server reports.
inline constexpr std::string_view kLastPlanCells = "cells of the last plan";
inline constexpr std::string_view kEstimatedDelta = "estimated Delta";

class PfPneReuseServer final : public Role {
 public:
  /// `setup` must outlive the server.
  explicit PfPneReuseServer(const PfPneReuseSetup& setup);

  void on_start(Reaction& reaction) override;
  void on_message(const Message& message, Reaction& reaction) override;
  std::optional<Waiting> waiting() const override;

 private:
  /// A cell of the level.
  struct Shared {
    std::uint64_t index = 0;
    double mean = 0;      // over clients and the rounds of the level
    double variance = 0;  // of the clients' means in the last round, divisor M - 1
  };

  /// To the next level that is worth sampling.
  void descend();
  /// t_h.
  std::uint64_t enough() const;
  std::vector<std::uint64_t> cells_left() const;
  void keep_level();
  /// Plans the next round of the level, or ends the search.
  void go_on(Reaction& reaction);
  /// The next round doesn't fit into T.
  void run_out(Reaction& reaction);
  /// Sends everybody away to search alone, below the cells kept.
  void part(Reaction& reaction);
  void play_best(Reaction& reaction);
  void plan(std::uint32_t depth,
            std::uint32_t pulls,
            std::vector<std::uint64_t> cells,
            Reaction& reaction);
  void close(Reaction& reaction);
  void end_level(Reaction& reaction);
  void add_uploads();
  /// Drops the cells that can't hold the maximum of f̄.
  void drop();
  /// How much the clients differ at the level's cells; nothing as long as noise can't be told
  /// apart.
  std::optional<double> clients_spread() const;
  void finish(Reaction& reaction) const;

  const PfPneReuseSetup* setup_;
  Gather gather_;
  std::uint32_t depth_ = 0;             // h
  std::vector<Shared> level_;           // K, what is left of it; or as much as the budget reaches
  std::uint32_t kept_depth_ = 0;        // of the last level that is over
  std::vector<std::uint64_t> kept_{1};  // what is left of that
  bool differ_ = false;                 // the clients surely do
  std::uint64_t pulls_ = 0;             // of the round, per cell and client
  std::uint64_t pulls_in_level_ = 0;    // of all rounds of the level
  std::uint64_t steps_ = 0;             // t
  double lower_;                        // the largest lower bound of f̄ at any cell
  Cell best_{};                         // that cell
  double noise_ = 0;                    // sum of single estimates of the noise's variance
  double noise_freedom_ = 0;            // of how many
  std::uint64_t cells_of_last_plan_ = 0;
  std::vector<Payload> uploads_;  // SpreadMeans of this round, by client
};

}  // namespace posse
