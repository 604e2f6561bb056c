// SPDX-License-Identifier: Apache-2.0
// The tables that every run has: a column is a line of run_tables.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/sim/simulation.hpp"
#include "program/base/data_table.hpp"
#include "program/run/runner.hpp"
#include "program/scenario/scenario.hpp"

namespace posse {

/// What the tables of a run are made from, at its end or on its way.
struct RunParts {
  const RunOutcome& outcome;
  std::span<const RoundRecord> rounds;
  std::span<const RegretPoint> regret;
  std::span<const ArmPoint> arms;
  std::span<const MessageRecord> messages;
  std::function<std::string(NodeId)> name_of;
};
/// Refers to the result.
RunParts parts_of(const SimulationResult& result);

/// A table by its name, which its file has, too: rounds.csv.
struct RunTable {
  std::string_view name;
  std::vector<Column> columns;
  std::function<void(const RunParts&, const DataTable::Use&)> rows;
};
/// `rounds`, `regret` (long: a row per point and measure), `arms`, `links`, `cells`, `messages`.
const RunTable& run_table(std::string_view name);

/// The table of all runs with details: algorithm (its label) and repetition come first. `regret`
/// has the parameters in which algorithms differ at its end. Refers to scenario and result.
DataTable table_of(const RunTable& table, const Scenario& scenario, const ScenarioResult& result);
/// The columns of such a table, without those that follow from the scenario.
std::vector<Column> stored_columns(const RunTable& table);

/// A row per run, of all repetitions: the compared quantities.
DataTable runs_table(const Scenario& scenario, const ScenarioResult& result);

}  // namespace posse
