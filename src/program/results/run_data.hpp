// SPDX-License-Identifier: Apache-2.0
// What charts and claims are made from: the curves and final numbers of a scenario's runs.
//
// Of a run folder they come from scenario.toml (what was run), results.json (final numbers,
// bounds), regret.csv (curves), rounds.csv and arms.csv; of runs in memory from the records that
// these files are written from.
#pragma once

#include <compare>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/role/protocol.hpp"
#include "program/compare/study.hpp"
#include "program/results/json_object.hpp"
#include "program/results/run_rows.hpp"
#include "program/results/run_tables.hpp"
#include "program/results/stored_run.hpp"
#include "program/scenario/scenario_facts.hpp"

namespace posse {

/// A point of a regret curve, as in regret.csv.
struct CurvePoint {
  double evaluations = 0;  // per client
  double rounds = 0, bytes = 0, virtual_s = 0;
  double value = 0;
};

/// A row of rounds.csv. Long runs have rows for some rounds only.
struct RoundRow {
  std::uint32_t round = 0;
  double evaluations = 0;        // per client, at its end
  double bytes = 0, values = 0;  // sent in all rounds up to this one
};

/// A measurement's bound at the end of a run, where it applies.
struct BoundRow {
  std::string measurement, kind, strength;
  bool lower = false;
  double value = 0, measured = 0;
  bool vacuous = false;
};

/// A row of arms.csv: the state of an arm after a number of its pulls.
struct ArmRow {
  double pulls = 0, total_pulls = 0, value = 0, bound = 0;
};

/// An account of the ledger: the copies of one type of messages in one direction. Means have
/// fractions.
struct LedgerRow {
  std::string type, direction;
  double sent = 0, retransmitted = 0, duplicated = 0;
  double delivered = 0, discarded = 0, in_flight = 0;
  double lost = 0, dropped_by_queues = 0, dropped_by_partitions = 0, dropped_at_crashed = 0;
  double values = 0;
  double bytes = 0, header_bytes = 0;  // of first transmissions; headers are part of the bytes
  double wire_bytes = 0;               // of all copies
};

/// A fault while it lasts; a row or two of faults.csv.
struct FaultTime {
  std::string kind, nodes;  // "partition", "server | client-2"
  double begin_s = 0;
  std::optional<double> end_s;  // none: until the run's end
  auto operator<=>(const FaultTime&) const = default;
};

struct RepetitionData {
  std::uint32_t repetition = 0;
  std::string status;  // "finished", or why it ended; of a run in progress its state
  std::map<std::string, std::vector<CurvePoint>> curves;  // by metric, as written
  std::vector<RoundRow> rounds;
  std::map<std::string, std::vector<ArmRow>> arms;  // by name; of functional bandits only
  std::optional<std::string> answer;                // the arm; of functional bandits only
  std::optional<double> answer_rank;                // of the arm among all, 1 is best; if known
  Finals finals;
  std::vector<BoundRow> bounds;
  std::vector<LedgerRow> ledger;
  std::vector<FaultTime> faults;      // by their beginning
  double values = 0;                  // numbers sent, as papers count them
  double evaluations_per_client = 0;  // of the client with the most
};

struct AlgorithmData {
  std::string label;
  std::size_t clients = 0;
  std::vector<RepetitionData> repetitions;   // the finished ones, in their order
  std::vector<RepetitionData> unfinished;    // in their order; without final numbers
  std::string kind;                          // empty if the folder has none
  std::string algorithm = {}, setting = {};  // of a label that names both
};

struct RunData : ScenarioFacts {
  std::filesystem::path folder;
  std::string name;
  std::vector<AlgorithmData> algorithms;  // in the scenario's order
  std::vector<std::string> arms;          // names, in their order; of functional bandits only
  // Of runs that are read together (sweep/setting_runs.hpp): how they differ.
  std::string setting;
  SettingKeys keys;

  const AlgorithmData* find(const std::string& label) const;
  /// True if the local and global regrets of some algorithm differ.
  bool heterogeneous() const;
};

/// One of kQuantities in the repetitions that have it.
RunValues final_values(const AlgorithmData& algorithm, std::string_view quantity);

/// What was run, with its algorithms and without runs.
RunData run_data(const ScenarioFacts& facts,
                 const std::string& name,
                 const std::vector<AlgorithmFacts>& algorithms);

/// The ledger of an algorithm as the mean over its finished repetitions; without any, over what the
/// others have so far.
struct MeanLedger {
  std::vector<LedgerRow> rows;  // empty if nothing was sent
  std::size_t runs = 0;
  bool finished = true;
};
MeanLedger mean_ledger(const AlgorithmData& algorithm);

/// The final numbers of a run from its entry in results.json, without curves; of an unfinished one
/// its status and ledger. Throws FileError.
RepetitionData read_repetition(const JsonObject& results);

/// The faults of a run in memory.
std::vector<FaultTime> fault_times(const Scenario& scenario, const RunRecord& run);

/// Adds a run, with the curves that it has so far, to those of its algorithm.
void add_run(RunData& run, std::size_t algorithm, RepetitionData repetition, const RunParts& parts);

/// Runs whose details are kept, as their folder has them.
RunData run_data_of(const Scenario& scenario, const ScenarioResult& result);

/// `folder` may also be one that contains `latest`. Throws FileError, naming the file, and the
/// line or the key, for missing or malformed content.
RunData read_run(const std::filesystem::path& folder);
/// `each_row` is told of every row of the tables `rounds`, `regret` and `arms`.
RunData read_run(const StoredRun& stored,
                 const std::function<void(const RunTable&, const RunRows&)>& each_row);

}  // namespace posse
