// SPDX-License-Identifier: Apache-2.0
// The ingredients of a run's fingerprint: deliveries, accounts and numbers. They are hashes of
// names and values, not of internal codes. A new message type, drop cause or measurement therefore
// leaves the hashes of runs without it unchanged.
#pragma once

#include <cstdint>
#include <span>

#include "core/role/measurement.hpp"
#include "core/role/outcome.hpp"

namespace posse {

struct SimulationResult;

/// Accounts, hashed with the names of type, direction and count in the order of the names. Counts
/// of 0 are left out.
std::uint64_t hash_of_accounts(const RunOutcome& outcome);

/// How and when the run ended, its rounds and evaluations, regrets, recommendations, arms.
std::uint64_t hash_of_numbers(const RunOutcome& outcome);

/// The values of regret.csv, rounds.csv and the measurements with their bounds, without names and
/// notes.
std::uint64_t hash_of_results(const SimulationResult& result,
                              std::span<const Measurement> measurements);

}  // namespace posse
