// SPDX-License-Identifier: Apache-2.0
// One learner for all clients: the server asks every client about the same point and learns from
// the mean of the answers, one evaluation of f̄ per step.
//
// Source: Li, Song, Honorio & Lin, "Federated X-armed bandit" (AAAI 2024), Remark 10, for any
// learner. With one client it is the classical single learner behind a network.
// Nodes: `learner` (0), `environment-0 …`, one per client. Round = step t = 1 … n, one query and
// its answers. Messages:
//   Query{t 4, depth 4, index 8}   down, to every environment, 16 bytes, 1 value (a cell)
//   Reward{t 4, reward 8}          up, 12 bytes, 1 value
// Rewards are summed in client order. Server policies: with Q < M arrivals the learner gets the
// mean over the arrivals, which estimates their mean objective and not f̄. Late rewards are
// reported as stale. An environment that misses a query makes fewer than n evaluations. A step that
// loses all its answers never closes and stalls the run, so a lossy network needs the reliable
// transport. Points that are drawn at every pull are drawn by each environment separately.
//
// Recommendations are reported before the first step, at the checkpoints of regret curves and at
// the end. Cost beyond the learner: O(M) per step.
// Streams: the learner's, named `learner`; `reward/client-m`, `point/client-m` through CellRewards.
// Departure: see PAPERS.md, fed-pne-15.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "actors/common/cell_rewards.hpp"
#include "actors/common/gathering_server.hpp"
#include "actors/learners/learner_kind.hpp"
#include "core/exchange/aggregate.hpp"
#include "core/exchange/gather.hpp"
#include "core/role/checkpoints.hpp"
#include "core/role/message.hpp"
#include "core/role/role.hpp"

namespace posse {

/// The point to evaluate at step `t`.
struct Query {
  static constexpr std::string_view kName = "Query";
  std::uint32_t t = 0;
  std::uint32_t depth = 0;
  std::uint64_t index = 1;
  std::uint64_t values() const { return 1; }
  POSSE_FIELDS(t, depth, index)
};

/// One client's reward at step `t`.
struct Reward {
  static constexpr std::string_view kName = "Reward";
  std::uint32_t t = 0;
  double reward = 0;
  std::uint64_t values() const { return 1; }
  POSSE_FIELDS(t, reward)
};

/// The server.
class CentralLearner final : public GatheringServer<Reward> {
 public:
  /// `setup` must outlive the role.
  explicit CentralLearner(const LearnerSetup& setup);

  void on_start(Reaction& reaction) override;

 private:
  void on_uploads(Reaction& reaction) override;
  void ask(Reaction& reaction);
  /// The mean of the rewards that arrived, summed in client order, or what the policy says. Empties
  /// the uploads.
  double mean_reward();

  const LearnerSetup* setup_;
  std::unique_ptr<Learner> learner_;
  Cell asked_;
  Checkpoints checkpoints_;
  std::vector<double> rewards_;  // of a step
};

/// A client: evaluates the points that the server asks for.
class Environment final : public Role {
 public:
  /// Client number `client`, from 0, after `evaluations` that it has made before it lost its state.
  /// `setup` must outlive the role.
  Environment(const LearnerSetup& setup, std::uint32_t client, std::uint64_t evaluations = 0);

  void on_message(const Message& message, Reaction& reaction) override;
  std::optional<Waiting> waiting() const override;

 private:
  const LearnerSetup* setup_;
  CellRewards rewards_;
  RoundsSeen queries_;
};

}  // namespace posse
