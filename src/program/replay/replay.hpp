// SPDX-License-Identifier: Apache-2.0
// Proves a finished run: runs its scenario again, from its folder alone, and compares the
// fingerprints.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "program/results/execution.hpp"
#include "program/results/stored_run.hpp"
#include "program/scenario/scenario.hpp"

namespace posse {

enum class ReplayVerdict {
  equal,
  differs,
  not_provable  // one of the two was stopped at a moment that nobody can repeat
};

/// One algorithm in one repetition.
struct ReplayedRun {
  std::string algorithm;  // its label
  std::uint32_t repetition = 0;
  ReplayVerdict verdict = ReplayVerdict::equal;
  std::string recorded, now;  // fingerprints, in hexadecimal
  /// What differs (status, deliveries, accounts, numbers, results, fingerprint), or why the run
  /// can't be proven.
  std::string what;
};

/// A run, repeated, beside its record.
ReplayedRun compare_with_record(const std::string& algorithm,
                                const StoredRun::Run& recorded,
                                const RunRecord& now);

/// One of the runs of a folder (a position in its runs()) again, with the fate of every message.
/// Throws FileError if the scenario lacks its algorithm.
RunRecord run_again_traced(const StoredRun& stored,
                           const Scenario& scenario,
                           std::size_t run,
                           const ExecutionOptions& options);

/// By the order in the folder. Signals must be caught already (signals.hpp); runs that they stop
/// are not provable. `folder` may also be one that contains `latest`. Throws FileError if the
/// folder can't be read, belongs to a version with other results, or its scenario.toml has mistakes
/// or lacks a run.
std::vector<ReplayedRun> replay(const std::filesystem::path& folder,
                                const ExecutionOptions& options);

}  // namespace posse
