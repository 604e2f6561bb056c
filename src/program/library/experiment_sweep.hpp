// SPDX-License-Identifier: Apache-2.0
// The sweep of a scenario that a program of the user's has: every setting, kept in a store.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "program/http/server.hpp"
#include "program/library/memory_table.hpp"
#include "program/plot/picture_kinds.hpp"
#include "program/sweep/sweep.hpp"

namespace posse {

/// How far a sweep is.
struct ExperimentSweepProgress {
  std::size_t planned = 0, present = 0;  // runs; those that the store had before
  std::size_t made = 0;                  // now, failed ones included
  std::string address;                   // of the page: "page: http://…\n", or empty
};

struct ExperimentSweepOptions {
  std::size_t threads = 0;  // 0: one per core; decides nothing
  /// Called by the thread that called run_experiments(), at the begin, every `interval_s` seconds,
  /// and at the end. False: no further run is to start.
  std::function<bool(const ExperimentSweepProgress&)> progress;
  double interval_s = 0.1;
  std::optional<HttpAddress> page;  // served while the runs go on
};

/// What a store has of a sweep.
class ExperimentSweepResults {
 public:
  /// `failures`: failures_text() of the outcome.
  ExperimentSweepResults(std::filesystem::path store, SweepOutcome outcome, std::string failures)
      : store_(std::move(store)), outcome_(std::move(outcome)), failures_(std::move(failures)) {}

  const std::filesystem::path& store() const { return store_; }
  const SweepOutcome& outcome() const { return outcome_; }
  /// What `posse sweep` prints: the comparison of settings and algorithms, then the first failures.
  std::string text() const;
  /// What `posse plot` draws of the store, as drawing_json(). Throws FileError, and
  /// std::invalid_argument for what the runs don't have.
  std::string plot(const DrawingRequest& request) const;
  /// summary.csv: a row per run, with its setting.
  MemoryTable summary() const;

 private:
  std::filesystem::path store_;
  SweepOutcome outcome_;
  std::string failures_;
};

/// Makes the runs that the store doesn't have yet, and its tables. Throws FileError, and
/// std::system_error if the address can't be listened at.
ExperimentSweepResults run_experiments(const SweepPlan& plan,
                                       const std::filesystem::path& store,
                                       const ExperimentSweepOptions& options = {});

}  // namespace posse
