// SPDX-License-Identifier: Apache-2.0
// Observations: what roles report about themselves, for regret curves, the rounds table, metrics
// and measurements. They never influence a run. Each node's observations are processed in order.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/ids.hpp"
#include "core/base/time.hpp"
#include "core/domain/cell.hpp"

namespace posse {

/// `count` evaluations of the same point by this node (client number `client`, from 0).
struct PullsObserved {
  std::uint32_t client = 0;
  std::vector<double> point;
  std::uint64_t count = 0;
  std::optional<double> value{};  // of the client's function there, if it is known
};

/// The current recommendation: the point that would be the output if the run ended now. In a
/// personalised algorithm `client` says whose recommendation it is, and simple regrets are means
/// over the clients. Either all recommendations of a run have `client`, or none has.
struct RecommendationObserved {
  std::vector<double> point;
  std::optional<std::uint32_t> client = std::nullopt;
};

/// A round, counted as in the paper, begins at this node.
struct RoundBegan {
  Round round;
};

/// A deciding node's estimate for one of its cells at the end of a round.
struct JudgedCell {
  Cell cell;
  double mean = 0;
  bool kept = true;
};

inline constexpr std::size_t kMostCameLast = 64;

/// A round ends at this node. If several nodes decide (the players of the parallel algorithm), each
/// one reports it; the row of the rounds table spans from the first begin to the last end.
///
/// Required: round, steps, arrived, expected and waited (Gather::close fills in the last three,
/// first_asked, late and came_last).
/// The other fields keep their defaults in rounds that compare no cells.
struct RoundEnded {
  Round round;
  std::optional<Cell> best;             // the best cell at the end of the round, if cells are
                                        // compared; Cell{0, i + 1} is arm i, from 0
  std::uint64_t active_cells = 0;       // |S_h| or |K^p|
  std::uint64_t pulls_per_cell = 0;     // T_h or t_h
  std::uint64_t kept_cells = 0;         // survivors, before they are split
  std::uint64_t steps = 0;              // evaluations per client up to the end of the round;
                                        // does not decrease from round to round
  std::uint32_t arrived = 0;            // answers used
  std::uint32_t expected = 0;           // answers asked for
  std::optional<NodeId> first_asked{};  // in a star: the `expected` nodes from this one were asked,
                                        // and may have more to do; none: they have not (arms)
  std::vector<NodeId> late;  // members whose answer was missing when the policy closed the round
  std::vector<NodeId> came_last{};  // of the used answers, those that came at one instant, after
                                    // all others; empty if it is one, or unknown. If they are more
                                    // than kMostCameLast, the first of them and another one
  Duration waited{};                // from each used answer's arrival to the reaction that ends the
                      // round, summed; work that this node then still does is left out
  std::vector<JudgedCell> cells{};    // the active ones; empty if cells are not compared. If
                                      // several deciding nodes agree, one report is enough
  std::optional<double> threshold{};  // cells with a smaller mean are eliminated, up to rounding;
                                      // none if cells have thresholds of their own
};

/// A message came after its round was closed, or was not expected at all.
struct StaleObserved {
  Round round;
  NodeId from;
  bool tied = false;  // it came at the instant at which the round was closed
};

/// A count that a role defines, such as the number of cells of a learner's tree. The outcome has
/// the largest report of any node under each name.
struct CountObserved {
  std::string_view name;  // of static storage
  std::uint64_t value = 0;
};

/// A number that one node estimates. The outcome has the latest under each name.
struct EstimateObserved {
  std::string_view name;  // of static storage
  double value = 0;
};

/// Progress of a client that searches alone in the second stage of a personalised algorithm.
struct OwnSearch {
  std::uint32_t depth = 0;      // of its last complete level
  std::vector<Cell> kept;       // remaining cells, ascending, of that depth or others
  double certified_regret = 0;  // bound on the regret of its own pulls up to now
};

/// Client number `client` (one node each) has completed a level or used up its budget.
struct OwnSearchObserved {
  std::uint32_t client = 0;
  OwnSearch search;
};

/// A pull of an arm of a functional bandit: the arm's value, and its bound after `pulls` pulls of
/// this instance. A single node observes all pulls, in the order in which it receives the answers.
struct ArmPulled {
  std::uint32_t arm = 0;  // from 0
  std::uint32_t instance = 0;
  std::uint64_t pulls = 0;
  double value = 0;
  double bound = 0;
};

/// The answer of a functional bandit: the arm that it returns as the best one.
struct ArmAnswered {
  std::uint32_t arm = 0;
};

using Observation = std::variant<PullsObserved,
                                 RecommendationObserved,
                                 RoundBegan,
                                 RoundEnded,
                                 StaleObserved,
                                 CountObserved,
                                 EstimateObserved,
                                 OwnSearchObserved,
                                 ArmPulled,
                                 ArmAnswered>;

}  // namespace posse
