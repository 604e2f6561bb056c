// SPDX-License-Identifier: Apache-2.0
// Random scenarios over the whole catalogue, one after the other, each checked against every
// property.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "program/fates/random_trials.hpp"

namespace posse {

/// The name of the property that only the command line can violate.
inline constexpr std::string_view kCommandLineProperty =
    "the command line gives the same run, or stops when interrupted";

/// Writes failing scenarios to the folder. `program`: for the part through the command line; empty:
/// without.
TrialsReport run_chaos(const TrialsOptions& options,
                       const std::string& program,
                       TrialsProgress& progress);

/// The scenario of a failing seed.
std::filesystem::path failing_scenario(const TrialsOptions& options, std::uint64_t seed);

/// The names of all features, in the order of the statistics.
std::vector<std::string> all_features();
/// The names of those that a trial has.
std::vector<std::string> features_of(const Trial& trial);

/// Which features were reached how often, and the rate.
std::string chaos_statistics(const TrialsReport& report);

}  // namespace posse
