// The server's and the client's role of Fed-PNE; what they do is described in fed_pne.hpp.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/algorithm/cell_rewards.hpp"
#include "core/domain/cell.hpp"
#include "core/domain/partition.hpp"
#include "core/exchange/gather.hpp"
#include "core/exchange/policy.hpp"
#include "core/objective/problem.hpp"
#include "core/role/message.hpp"
#include "core/role/role.hpp"
#include "core/theory/fed_pne.hpp"

namespace posse {

/// What all nodes of a run share.
struct FedPneSetup {
  const Problem* problem;
  Partition partition;
  std::uint32_t clients;            // M
  std::uint64_t budget;             // T
  theory::FedPneParameters theory;  // nu1, rho, c, c1, delta; M and T again
  bool trim_last_plan;
  Policy policy;
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
  /// K = children of `cells`, which are `cells_` cells of depth h or the first of them; h += 1.
  void split(const std::vector<std::uint64_t>& cells);
  void begin_phase(Reaction& reaction);
  void close_if_ready(Reaction& reaction);
  void eliminate(Reaction& reaction);
  void recommend(Reaction& reaction) const;

  const FedPneSetup* setup_;
  Gather gather_;
  std::vector<std::uint64_t> active_{1};  // K, or as much of it as the budget reaches
  std::uint64_t cells_ = 1;               // |K|
  std::uint32_t depth_ = 0;               // h
  std::uint64_t steps_ = 0;               // t
  std::uint64_t pulls_per_cell_ = 0;      // t_h
  Cell best_{};                           // of the last complete phase; the root before
  bool at_depth_limit_ = false;           // the search has ended; the best cell is left
  std::vector<Payload> uploads_;          // LocalMeans of this phase, by client
};

class FedPneClient final : public Role {
 public:
  /// Client number `client`, from 0. `setup` must outlive the client.
  FedPneClient(const FedPneSetup& setup, std::uint32_t client);

  void on_message(const Message& message, Reaction& reaction) override;
  std::optional<Waiting> waiting() const override;

 private:
  const FedPneSetup* setup_;
  CellRewards rewards_;
  RoundsSeen plans_;
};

}  // namespace posse
