// SPDX-License-Identifier: Apache-2.0
// The tables of a store: what a sweep planned, and what came of it.
//
// `sweep` writes plan.csv, about.txt and decisions.csv, `collect` the others. They have the
// same bytes whatever the shards and the order in which runs were made; wall times stand apart in
// timing.csv.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "program/base/data_table.hpp"
#include "program/compare/study.hpp"
#include "program/sweep/run_store.hpp"
#include "program/sweep/sweep_plan.hpp"

namespace posse {

/// The verdicts of a sweep that stopped itself (decision.hpp), if the latest one did.
inline constexpr auto kDecisionsFile = "decisions.csv";
/// The scenario's name, and under which conditions the settings are (conditions.hpp): a line each.
inline constexpr auto kAboutFile = "about.txt";

/// The keys of a sweep as columns. Quantities with a unit are numbers in base units, and their
/// columns end in the unit: network.latency_s.
struct SettingColumns {
  std::vector<Column> columns;
  std::vector<TableRow> rows;  // of every setting
};
SettingColumns setting_columns(const SweepPlan& plan);

/// The first axis whose column of summary.csv would have the name of another column.
std::optional<std::size_t> axis_with_taken_column(const std::vector<SweepAxis>& axes);

/// Writes plan.csv and about.txt. plan.csv has a row per run: `key`, `setting` (from 1),
/// `algorithm` (its label), `repetition`, then the setting's columns. `only`: positions in the
/// plan's runs; empty: all.
void write_plan(const RunStore& store,
                const SweepPlan& plan,
                const std::vector<std::size_t>& only = {});

/// plan.csv, read.
struct StoredPlan {
  struct Run {
    std::string key, algorithm;
    std::size_t setting = 0;
    std::uint32_t repetition = 0;
    std::vector<Datum> values = {};  // of the axes
  };
  std::vector<Column> axes;  // their columns
  std::vector<Run> runs;     // in the plan's order
};
/// Throws FileError.
StoredPlan read_plan(const RunStore& store);

/// The numbers at the end of a run folder; nothing if the run did not finish. Throws FileError.
std::optional<Finals> stored_finals(const std::filesystem::path& folder);

/// What `collect` did.
struct Collection {
  std::size_t planned = 0, rows = 0, unfinished = 0;
  std::vector<StoredPlan::Run> missing;  // planned runs that no store has
  std::size_t stale = 0;                 // stored runs that are not planned
  std::size_t twice = 0;                 // runs that several stores have, with equal results
  double runs_wall_s = 0;                // the sum over the planned runs that a store has
};

/// A run that is there twice, with different fingerprints.
class DifferentResults : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Merges stores with the same plan and writes summary.csv, timing.csv and summary.sqlite into
/// `out`. Runs are read one at a time. Throws FileError if a plan or a run can't be read, or plans
/// differ; DifferentResults.
Collection collect(const std::vector<RunStore>& stores, const std::filesystem::path& out);

}  // namespace posse
