// SPDX-License-Identifier: Apache-2.0
// Turns observations of roles into rounds, regret and regret curves.
//
// Every total runs in an order that does not depend on the interleaving of nodes: per evaluating
// node in its own order, then over the nodes, then over the clients. If several nodes evaluate for
// a client, its curve is summed in the order of time instead.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/domain/partition.hpp"
#include "core/objective/problem.hpp"
#include "core/role/checkpoints.hpp"
#include "core/role/observation_record.hpp"
#include "core/role/path.hpp"
#include "core/sim/arm_book.hpp"
#include "core/sim/pull_queue.hpp"
#include "core/sim/round_table.hpp"
#include "core/sim/simulation.hpp"

namespace posse {

class Recorder {
 public:
  /// `problem` may be null: then evaluations are counted, but there are no regrets.
  /// `several_evaluators` and `partition` as in Protocol. `arms` is null unless the protocol is a
  /// functional bandit. `one_decides`: rounds are those of the hub.
  Recorder(const Problem* problem,
           bool several_evaluators,
           bool one_decides,
           const ArmSet* arms = nullptr,
           const Partition* partition = nullptr);

  /// Takes and clears a worker's observations. Those of one node must come in order.
  void take(std::vector<ObservationRecord>& observations);
  /// Takes and clears what a worker counted by round.
  void take(RoundCounts& counts);
  /// All observations before `now` have been taken: finds the critical paths of rounds until then.
  void settle(Time now);
  std::uint32_t rounds_ended() const { return rounds_ended_; }

  /// Fills in what conclude() would if the run ended now, without curves and with only the latest
  /// kRecentRounds rounds. All observations before `now` and all counts must have been taken.
  /// Cost: O(clients).
  void fill(Time now, RunOutcome& out);
  /// Fills in rounds, regret and the curve. Everything must have been taken.
  void conclude(SimulationResult& result);

 private:
  /// The clients where they passed a checkpoint; by client.
  struct AtCheckpoint {
    struct Point {
      Regrets cumulative;
      Time time;
    };
    std::vector<Point> points;
    std::vector<std::optional<Regrets>> simple;  // of their own recommendations; empty: of none
    std::uint32_t passed = 0;                    // clients
  };
  struct Client {
    std::uint64_t evaluations = 0;
    Regrets cumulative;                  // in the order of time
    std::map<NodeId, Regrets> by_node;   // only if several nodes evaluate
    std::optional<Regrets> simple;       // for its own recommendation
    std::vector<double> recommendation;  // its own
    Time last;                           // end of its last evaluation
    std::uint32_t passed = 0;            // checkpoints
    std::uint64_t next_checkpoint = checkpoint(0);
  };
  struct Recommendation {
    Round after;  // the last round that `maker` had ended
    Time time;
    NodeId maker;
    Regrets simple;
    std::vector<double> point;
  };

  /// Books the postponed pulls, or those made before `end`, when no earlier ones can follow: in the
  /// order of time and node.
  void book_postponed(std::optional<Time> end);
  void postpone(NodeId node, const Pulls& pulls);
  void book(NodeId node, const Pulls& pulls);
  /// Mean over the clients' own recommendations, once all clients have one.
  std::optional<Regrets> own_simple_regret() const;
  void judge(Round round, const std::vector<JudgedCell>& cells);
  void count_durations(std::uint32_t end);
  Regrets total(const Client& client) const;
  void sum_regret(RunOutcome& out) const;
  void add_regret_curve(SimulationResult& result) const;
  const Recommendation* latest_recommendation() const;
  void pulls(const ObservationRecord& record, const PullsObserved& observed);
  void recommendation(const ObservationRecord& record, const RecommendationObserved& observed);
  void round_began(Time time, Round round);
  void round_ended(ObservationRecord& record, RoundEnded& ended);
  /// The last round that a deciding node has ended.
  Round& last_ended(NodeId node);
  /// The row's critical path ends where its latest end is.
  void follow_path(RoundTable::Row& row, ObservationRecord& record, RoundEnded& ended);
  void local_recommendation(const RecommendationObserved& observed);
  /// The client's own recommendation counts at this checkpoint.
  void recommended_at(std::size_t passed, std::uint32_t client);
  double mean_value(std::span<const double> point);
  /// What `value` is below the maximum. Remembers one that is above all that the maximum may be.
  double gap(double value, const CertifiedMaximum& maximum) {
    const double above = value - (std::isfinite(maximum.upper) ? maximum.upper : maximum.value);
    if (above > above_maximum_) {
      above_maximum_ = above;
      largest_value_ = value;
    }
    return maximum.value - value;
  }

  const Problem* problem_;
  bool several_evaluators_;
  /// If several nodes evaluate for the same client: by node, in their order.
  std::map<NodeId, PullQueue> postponed_;
  std::size_t number_postponed_ = 0;
  std::vector<Client> clients_;
  std::vector<AtCheckpoint> curve_;
  std::vector<Recommendation> recommendations_;
  std::size_t latest_recommendation_ = 0;  // in recommendations_
  bool own_recommendations_ = false;
  std::map<std::string, std::uint64_t, std::less<>> counts_;
  RoundTable rounds_;
  std::vector<std::uint32_t> unsettled_;  // numbers of rounds whose critical path is to be found
  CriticalPaths paths_;
  std::map<std::string, double, std::less<>> estimates_;
  std::vector<OwnSearch> own_searches_;  // by client, the latest
  std::vector<Round> last_ended_;        // by deciding node
  std::optional<ArmBook> arm_book_;
  std::uint32_t rounds_ended_ = 0;
  std::uint64_t complete_rounds_ = 0;     // so far
  std::uint64_t incomplete_answers_ = 0;  // rounds that ended without all answers
  std::uint64_t stale_ = 0, tied_rounds_ = 0;
  Duration waiting_{};
  DurationHistogram round_durations_;
  std::uint32_t durations_counted_ = 1;  // rounds with smaller numbers are in round_durations_
  const Partition* partition_;
  std::vector<CellRecord> cells_;
  std::map<Cell, std::size_t> cell_at_;  // in cells_
  std::uint64_t optimum_eliminated_ = 0;
  double largest_value_ = 0, above_maximum_ = 0, largest_regret_ = 0;  // as in RegretSummary
  std::unordered_map<std::uint64_t, std::pair<std::vector<double>, double>> mean_cache_;
};

}  // namespace posse
