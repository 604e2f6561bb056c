// Measurements that several algorithms print: counts of the ledger beside the formulas that they
// must equal, regrets, and what the choice of a finite set of arms costs.
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

/// A count beside the formula that it must equal; the formula alone is left out where it doesn't
/// apply to this run.
Measurement exact_count(std::string name,
                        std::string unit,
                        std::uint64_t measured,
                        double formula,
                        std::string note,
                        bool applies);

/// Bytes of a message type's first transmissions without the network's headers.
std::uint64_t payload_bytes(const RunOutcome& outcome, std::string_view type);

/// max_m |f̄* - f_m*|: how different the clients are (P3's Assumption 3).
double true_delta(const Problem& problem);

/// Cumulative regret per client (with `bound`, if any), the local one and the true Delta where the
/// clients differ, and simple regret where something was recommended.
void add_regrets(const Problem& problem,
                 const RunOutcome& outcome,
                 std::optional<Bound> bound,
                 std::vector<Measurement>& measurements);

/// The same where every client is after its own maximum: local regrets first (the cumulative one
/// with `local_bound`, if any), global ones, what a node estimated, the true Delta.
void add_personal_regrets(const Problem& problem,
                          const RunOutcome& outcome,
                          std::optional<Bound> local_bound,
                          std::vector<Measurement>& measurements);

/// How deep clients that search by themselves got, on average, under the name `depth`, and how many
/// of them have no cell left that holds a known maximiser of their f_m.
void add_own_searches(const Problem& problem,
                      const Partition& partition,
                      const RunOutcome& outcome,
                      std::string depth,
                      std::vector<Measurement>& measurements);

/// A floor under the cumulative regret per client of whoever plays these arms only: the gap of the
/// best of them, times evaluations. Always holds (less 1e-9 an evaluation for rounding).
/// K evaluations of f̄.
Bound regret_floor_of_arms(const Problem& problem,
                           const ArmPoints& arms,
                           const RunOutcome& outcome);

}  // namespace posse
