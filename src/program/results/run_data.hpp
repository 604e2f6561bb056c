// SPDX-License-Identifier: Apache-2.0
// A finished run read from its folder, for plots and for judging claims.
//
// From scenario.toml (what was run), results.json (final numbers, bounds), regret.csv (curves) and
// rounds.csv. Unfinished runs are left out.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/role/protocol.hpp"
#include "program/results/json_object.hpp"
#include "program/study/study.hpp"
#include "program/summary/comparison.hpp"

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

struct RepetitionData {
  std::uint32_t repetition = 0;
  std::map<std::string, std::vector<CurvePoint>> curves;  // by metric, as written
  std::vector<RoundRow> rounds;
  std::map<std::string, std::vector<ArmRow>> arms;  // by name; of functional bandits only
  std::optional<std::string> answer;                // the arm; of functional bandits only
  std::optional<double> answer_rank;                // of the arm among all, 1 is best; if known
  Finals finals;
  std::vector<BoundRow> bounds;
  double values = 0;                  // numbers sent, as papers count them
  double evaluations_per_client = 0;  // of the client with the most
};

struct AlgorithmData {
  std::string label;
  std::size_t clients = 0;
  std::vector<RepetitionData> repetitions;  // the finished ones, in their order
  std::string kind;                         // empty if the folder has none
};

struct RunData {
  std::filesystem::path folder;
  std::string name;
  std::string objective, heterogeneity, noise;  // their kinds; empty if nothing is evaluated
  std::optional<double> latency_s;              // mean, as ScenarioFacts has it
  std::vector<AlgorithmData> algorithms;        // in the scenario's order
  std::vector<std::string> arms;                // names, in their order; of functional bandits only
  bool arms_are_ranked = false;                 // by the scenario, instead of by their optima
  bool arms_are_maximized = false;
  // Of runs that are read together (compare/setting_runs.hpp): how they differ.
  std::string setting;
  SettingKeys keys;

  const AlgorithmData* find(const std::string& label) const;
  /// One of kQuantities for all algorithms, as compare() takes it. Repetitions line up by number.
  Measured final(std::string_view quantity) const;
  /// True if the local and global regrets of some algorithm differ.
  bool heterogeneous() const;
};

/// The final numbers of a run from its entry in results.json, without curves. Throws FileError.
RepetitionData read_repetition(const JsonObject& results);

/// `folder` may also be one that contains `latest`. Throws FileError, naming the file, and the
/// line or the key, for missing or malformed content.
RunData read_run(const std::filesystem::path& folder);

}  // namespace posse
