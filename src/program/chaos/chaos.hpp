// SPDX-License-Identifier: Apache-2.0
// Random scenarios, one after the other, each checked against every property.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "program/chaos/properties.hpp"

namespace posse {

struct ChaosOptions {
  std::uint64_t first = 0;  // seeds first, first + 1, …
  std::uint64_t count = 300;
  std::optional<double> seconds;  // instead of `count`
  std::size_t jobs = 1;           // scenarios at a time
  std::string program;            // for the part through the command line; empty: without
  /// For failing scenarios, `seed-N.toml`; and, while chaos runs, for the seeds in work,
  /// `running-JOB`, which tell what crashed the process.
  std::filesystem::path folder;
};

/// A property that a seed's scenario violates.
struct ChaosFailure {
  std::uint64_t seed = 0;
  std::string property, what;
  std::filesystem::path file;  // the scenario
};

struct ChaosReport {
  std::uint64_t scenarios = 0;
  std::uint64_t on_command_line = 0, interrupted = 0;
  double seconds = 0;
  std::map<std::string, std::uint64_t> features;  // scenarios that have each, absent ones with 0
  std::vector<ChaosFailure> failures;             // by seed
};

/// Another thread may watch `done`, and set `stop`.
struct ChaosProgress {
  std::atomic<std::uint64_t> done{0}, failures{0};
  std::atomic<bool> stop{false};
};

/// The name of the property that only the command line can violate.
inline constexpr std::string_view kCommandLineProperty =
    "the command line gives the same run, or stops when interrupted";

ChaosReport run_chaos(const ChaosOptions& options, ChaosProgress& progress);

/// Which features were reached how often, and the rate.
std::string chaos_statistics(const ChaosReport& report);

}  // namespace posse
