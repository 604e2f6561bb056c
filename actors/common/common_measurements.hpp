// SPDX-License-Identifier: Apache-2.0
// Measurements that several algorithms print: message counts beside the formulas that they must
// equal, regrets, and the cost of a finite choice of arms.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/domain/partition.hpp"
#include "core/learner/arm_points.hpp"
#include "core/objective/problem.hpp"
#include "core/role/measurement.hpp"
#include "core/role/outcome.hpp"

namespace posse {

/// A ceiling that always holds, all constants known.
Bound ceiling(double value, std::string note);

/// The number of rounds.
Measurement rounds_within(const RunOutcome& outcome, Bound bound);

/// Adds simple regret if something was recommended.
void add_simple_regret(const RunOutcome& outcome,
                       std::optional<Bound> bound,
                       std::vector<Measurement>& measurements);

/// A count beside the formula that it must equal. Without the formula if that does not apply to
/// this run.
Measurement identity(std::string name,
                     std::string unit,
                     std::uint64_t measured,
                     double formula,
                     std::string note,
                     bool applies);

/// True if a node that lost its state in a crash may have answered a copy of a message that it had
/// answered before: rounds then don't tell how many messages were sent.
bool may_answer_twice(const RunOutcome& outcome);

/// Payload bytes of all messages of a type, without headers and repeated transmissions.
std::uint64_t payload_bytes(const RunOutcome& outcome, std::string_view type);

/// max_m |f̄* - f_m*|: how much the clients differ (Assumption 3 of Li, Song & Honorio, PF-PNE).
double true_delta(const Problem& problem);

/// Adds cumulative regret (with `bound`, if any), local cumulative regret and the true Delta if the
/// clients differ, and simple regret if something was recommended.
void add_regrets(const Problem& problem,
                 const RunOutcome& outcome,
                 std::optional<Bound> bound,
                 std::vector<Measurement>& measurements);

/// For algorithms in which every client seeks its own maximum. Adds local cumulative regret (with
/// `local_bound`, if any), cumulative regret, the nodes' estimates, the true Delta, and simple
/// regrets.
void add_personal_regrets(const Problem& problem,
                          const RunOutcome& outcome,
                          std::optional<Bound> local_bound,
                          std::vector<Measurement>& measurements);

/// For clients that search alone: adds the mean depth that they reached, under the name `depth`,
/// and the number of clients that have no cell left with a known maximiser of their f_m.
void add_own_searches(const Problem& problem,
                      const Partition& partition,
                      const RunOutcome& outcome,
                      std::string depth,
                      std::vector<Measurement>& measurements);

/// A lower bound on the cumulative regret of any algorithm that plays only these arms: the gap of
/// the best arm times the evaluations, less a slack of 1e-9 per evaluation for rounding. Always
/// holds. Takes K evaluations of f̄.
Bound regret_floor_of_arms(const Problem& problem,
                           const ArmPoints& arms,
                           const RunOutcome& outcome);

}  // namespace posse
