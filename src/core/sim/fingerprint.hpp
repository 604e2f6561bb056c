// What a run's fingerprint is made of: meanings, not numbers of types or statuses. A new message
// type, drop cause or measurement leaves the hashes of runs that don't have it as they are.
#pragma once

#include <cstdint>
#include <span>

#include "core/role/measurement.hpp"
#include "core/role/outcome.hpp"

namespace posse {

struct SimulationResult;

/// Accounts by the names of type, direction and count, in the order of the names; counts of 0 are
/// left out.
std::uint64_t hash_of_accounts(const RunOutcome& outcome);

/// How and when the run ended, its rounds and evaluations, regrets, recommendations, arms.
std::uint64_t hash_of_numbers(const RunOutcome& outcome);

/// The values that regret.csv, rounds.csv and the measurements with their bounds hold; not their
/// names and notes.
std::uint64_t hash_of_results(const SimulationResult& result,
                              std::span<const Measurement> measurements);

}  // namespace posse
