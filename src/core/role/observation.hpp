// What roles report about themselves. Observations never influence a run; each node's
// are taken in their order, and feed regret curves, the rounds table, metrics and measurements.
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
};

/// The decider's current recommendation: the point it would output if the run ended now. Where
/// every client wants its own maximum, `client` says whose it is, and simple regrets are means over
/// the clients; a run has recommendations of one kind only.
struct RecommendationObserved {
  std::vector<double> point;
  std::optional<std::uint32_t> client = std::nullopt;
};

/// A round, as the paper counts it, begins at this node.
struct RoundBegan {
  Round round;
};

/// What a decider made of one of its cells at the end of a round.
struct JudgedCell {
  Cell cell;
  double mean = 0;
  bool kept = true;
};

/// A round ends at this node. With several deciders (the players of the parallel algorithm) each
/// one reports it; the row in the rounds table spans from the first begin to the last end.
struct RoundEnded {
  Round round;
  std::optional<Cell> best;          // the cell with the largest mean, if cells are compared
  std::uint64_t active_cells = 0;    // |S_h| or |K^p|
  std::uint64_t pulls_per_cell = 0;  // T_h or t_h
  std::uint64_t kept_cells = 0;      // survivors, before they are split
  std::uint64_t steps = 0;           // evaluations per client up to the end of the round
  std::uint32_t arrived = 0;         // answers used
  std::uint32_t expected = 0;        // answers asked for
  std::vector<NodeId> late;          // who was missing when a policy closed the round
  Duration waited{};  // from each used answer's arrival to the end of the round, summed
  std::vector<JudgedCell> cells{};  // the active ones; empty where cells aren't compared. Of
                                    // several deciders that agree one is enough
};

/// A message came too late to be used (its round was closed) or was asked for by nobody.
struct StaleObserved {
  Round round;
  NodeId from;
};

/// Something that a role counts of its own, such as the cells of a learner's tree. The outcome has
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

/// How far a client that ends up searching by itself has come.
struct OwnSearch {
  std::uint32_t depth = 0;      // of its last complete level
  std::vector<Cell> kept;       // cells that it still considers, ascending, of that depth or others
  double certified_regret = 0;  // what theory allows its own pulls so far
};

/// Client number `client` (one node each) has completed a level, or spent its budget.
struct OwnSearchObserved {
  std::uint32_t client = 0;
  OwnSearch search;
};

/// An arm of a functional bandit has answered a pull: its value and the bound it carries after
/// `pulls` pulls of this instance of it. One node observes them all, in the order in which it takes
/// them.
struct ArmPulled {
  std::uint32_t arm = 0;  // from 0
  std::uint32_t instance = 0;
  std::uint64_t pulls = 0;
  double value = 0;
  double bound = 0;
};

/// The arm that a functional bandit takes for the best one, at its end.
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
