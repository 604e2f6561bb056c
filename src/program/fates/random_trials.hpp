// SPDX-License-Identifier: Apache-2.0
// Random scenarios, one after the other, each checked against the properties of every run.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "program/fates/properties.hpp"

namespace posse {

struct TrialsOptions {
  std::uint64_t first = 0;  // seeds first, first + 1, …
  std::uint64_t count = 300;
  std::optional<double> seconds;  // instead of `count`
  std::size_t jobs = 1;           // scenarios at a time
  std::string_view property;      // only this one; empty: all
  /// Holds `running-JOB.toml`, the scenarios in work, which tell what crashed the process.
  std::filesystem::path folder;
};

/// A property that a seed's scenario violates.
struct TrialFailure {
  std::uint64_t seed = 0;
  std::string property, what;
};

/// Another thread may watch `done`, and set `stop`.
struct TrialsProgress {
  std::atomic<std::uint64_t> done{0}, failures{0};
  std::atomic<bool> stop{false};
};

struct TrialsReport {
  std::uint64_t scenarios = 0;
  double seconds = 0;
  std::map<std::string, std::uint64_t> features;  // scenarios that have each, absent ones with 0
  std::vector<TrialFailure> failures;             // by seed
};

struct TrialsHooks {
  /// The scenario of a seed, which draws it. Called by several threads.
  std::function<std::string(std::uint64_t seed)> draw;
  /// Looks at a trial further: adds violations and names of features. May be empty. Called by
  /// several threads.
  std::function<void(std::uint64_t seed,
                     std::size_t job,
                     const Trial& trial,
                     std::vector<PropertyViolation>& violations,
                     std::vector<std::string>& features)>
      look = {};
  /// Called by one thread at a time.
  std::function<void(const TrialFailure& failure, const Trial& trial)> fail = {};
};

TrialsReport run_trials(const TrialsOptions& options,
                        const TrialsHooks& hooks,
                        TrialsProgress& progress);

/// The files of scenarios in work, if an earlier process crashed in one of them.
std::vector<std::filesystem::path> crashed_trials(const std::filesystem::path& folder);

}  // namespace posse
