// The server's and the client's role of Fed-PNE, and what its variants share with it; described in
// fed_pne.hpp.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "actors/common/cell_rewards.hpp"
#include "actors/fed_pne/bounds.hpp"
#include "actors/fed_pne/private_bounds.hpp"
#include "actors/fed_pne/private_release.hpp"
#include "actors/fed_pne/protocol.hpp"
#include "core/base/parameters.hpp"
#include "core/domain/cell.hpp"
#include "core/domain/partition.hpp"
#include "core/exchange/gather.hpp"
#include "core/objective/problem.hpp"
#include "core/role/message.hpp"
#include "core/role/policy.hpp"
#include "core/role/protocol.hpp"
#include "core/role/role.hpp"

namespace posse {

/// What all nodes of a run share.
struct FedPneSetup {
  const Problem* problem;
  Partition partition;
  std::uint32_t clients;            // M
  std::uint64_t budget;             // T
  theory::FedPneParameters theory;  // nu1, rho, c, c1, delta; M and T again
  theory::Privacy privacy;          // none unless DP-Fed-PNE sets it
  bool trim_last_plan;
  bool compact_plan;  // which trims as well: its size doesn't depend on it
  Policy policy;

  /// What the server sends at the start of a phase.
  const MessageType& plan_type() const {
    return compact_plan ? kMessageType<CompactPlan> : kMessageType<PhasePlan>;
  }
  /// t_h.
  std::uint64_t pulls(std::uint32_t depth) const {
    return theory::dp_fed_pne_pulls(theory, privacy, depth);
  }
  /// Whether so many cells of this depth are split without being sampled.
  bool expands(std::uint32_t depth, std::uint64_t cells) const {
    return theory::dp_fed_pne_expands(theory, privacy, depth, cells);
  }
  /// b.
  double radius(std::uint64_t pulls, std::uint64_t arrived) const {
    return theory::dp_fed_pne_radius(theory, privacy, pulls, arrived);
  }
};

/// The parameters that Fed-PNE and its variants share.
std::vector<ParameterSpec> fed_pne_parameters();
/// Of nu1, rho, c, c1 and delta; children_per_cell is left at its default.
theory::FedPneParameters fed_pne_theory_parameters(const Parameters& parameters,
                                                   const ProtocolContext& context);
/// What is wrong with the budget, since pull counts travel in 4 bytes, and with the partition's
/// parameters, in the name of the algorithm `kind`.
std::vector<std::string> validate_plans(std::string_view kind,
                                        const Parameters& parameters,
                                        const ProtocolContext& context);
/// The same, and what is wrong with Lambda.
std::vector<std::string> validate_phases(std::string_view kind,
                                         const Parameters& parameters,
                                         const ProtocolContext& context);
/// The same with all of `fed_pne_parameters`.
std::vector<std::string> validate_fed_pne(std::string_view kind,
                                          const Parameters& parameters,
                                          const ProtocolContext& context);
FedPneSetup make_fed_pne_setup(const Parameters& parameters, const ProtocolContext& context);
/// Fed-PNE with this setup: its roles, measurements and forecast.
std::unique_ptr<Protocol> make_fed_pne(FedPneSetup setup);

/// K: cells of one depth, ascending. Of a level with more cells than steps are left, which is never
/// completed, only the beginning need be there.
struct ActiveCells {
  std::uint32_t depth = 0;              // h
  std::uint64_t count = 1;              // |K|
  std::vector<std::uint64_t> index{1};  // K, or the first of it

  /// K = children of `kept`, the `kept_count` cells of this depth that remain or the first of them,
  /// as far as the first `limit` children; h += 1.
  void split(const Partition& partition,
             const std::vector<std::uint64_t>& kept,
             std::uint64_t kept_count,
             std::uint64_t limit);
};

class FedPneServer final : public Role {
 public:
  /// `setup` must outlive the server.
  explicit FedPneServer(const FedPneSetup& setup);

  void on_start(Reaction& reaction) override;
  void on_message(const Message& message, Reaction& reaction) override;
  void on_timer(TimerId timer, Reaction& reaction) override;
  std::optional<Waiting> waiting() const override;

 private:
  /// "while |K| tau_h <= M or K is the root": go deeper without sampling.
  void expand();
  void split(const std::vector<std::uint64_t>& kept, std::uint64_t kept_count);
  void begin_phase(Reaction& reaction);
  void send_plan(Round phase, bool cut, Reaction& reaction) const;
  void close_if_ready(Reaction& reaction);
  void eliminate(Reaction& reaction);
  void recommend(Reaction& reaction) const;

  const FedPneSetup* setup_;
  Gather gather_;
  ActiveCells active_;                 // K, or as much of it as the budget reaches
  std::uint32_t parent_depth_ = 0;     // of the K of the phase before
  std::vector<std::uint8_t> kept_{1};  // which of that K's cells remain; with compact plans only
  std::uint64_t steps_ = 0;            // t
  std::uint64_t pulls_per_cell_ = 0;   // t_h
  Cell best_{};                        // of the last complete phase; the root before
  bool at_depth_limit_ = false;        // the search has ended; the best cell is left
  std::vector<Payload> uploads_;       // LocalMeans of this phase, by client
};

class FedPneClient final : public Role {
 public:
  /// Client number `client`, from 0. `setup` must outlive the client.
  FedPneClient(const FedPneSetup& setup, std::uint32_t client);

  void on_message(const Message& message, Reaction& reaction) override;
  std::optional<Waiting> waiting() const override;

 private:
  struct Task {
    Round phase;
    std::uint32_t depth;
    std::uint64_t pulls;  // of each cell
    std::uint64_t cells;
  };
  /// Turns K^{p-1} into K^p and says the pulls of each cell; nothing if it holds another K.
  std::optional<std::uint64_t> follow(const CompactPlan& plan);
  /// Pulls the cells `index`, which are all of the task's or the first of them, as far as the
  /// budget goes.
  void carry_out(const Task& task, const std::vector<std::uint64_t>& index, Reaction& reaction);

  /// The sum of the cell's next rewards, of which private ones are clipped to [0, 1].
  double pull(Cell cell, std::uint64_t count, Reaction& reaction);

  const FedPneSetup* setup_;
  CellRewards rewards_;
  PrivateRelease release_;
  RoundsSeen plans_;
  // With compact plans only:
  ActiveCells active_;       // K of the last plan
  std::uint32_t phase_ = 0;  // of the last plan
};

}  // namespace posse
