// SPDX-License-Identifier: Apache-2.0
// Sweeps that stop themselves: each verdict gets repetitions only until it holds.
//
// With several algorithms there is a verdict per setting: which algorithm is best on the measure.
// With one algorithm there is one verdict: which setting is best. Each is a race
// (race.hpp). All verdicts together are right with a probability of at least 1 - error: each
// race gets an equal share of the error, and in it each comparison with the truly best one.
//
// The plan is the most that can be made. Which runs are asked for, and the verdicts, depend only on
// the plan, the measure, the error and the values of the runs that were asked for: not on jobs,
// interruptions or what else the store holds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "program/base/data_table.hpp"
#include "program/compare/study.hpp"
#include "program/sweep/race.hpp"
#include "program/sweep/run_store.hpp"
#include "program/sweep/sweep_plan.hpp"

namespace posse {

class SweepDecision {
 public:
  /// `measure`: main_measure() of the first repetitions if there is
  /// none. A sum over evaluations whose numbers differ in these is replaced (comparable_measure).
  /// The plan needs two algorithms or two settings.
  SweepDecision(const SweepPlan& plan, double error, std::optional<std::size_t> measure);

  /// Positions in the plan's runs, in its order: all that were asked for up to now.
  std::vector<std::size_t> runs() const;
  /// Positions from runs() that no look has seen.
  std::vector<std::size_t> new_runs() const;
  /// The number of different runs in runs().
  std::size_t distinct_runs() const;
  /// Reads the values of new_runs() that the store has; a run that did not finish has none. Throws
  /// FileError.
  void look(const RunStore& store);
  /// Whether all verdicts hold or can't be had: no run is asked for any more.
  bool done() const;
  std::size_t decided() const;
  /// Repetitions of the candidates that still race; 0 if none does.
  std::uint32_t repetitions() const;

  const SweepPlan& plan() const { return plan_; }
  double error() const { return error_; }
  /// After a look.
  std::size_t measure() const { return *measure_; }
  /// The measure that was replaced.
  std::optional<std::size_t> replaced() const { return replaced_; }
  /// Whether candidates of one verdict differ in their evaluations per client.
  bool work_differs() const;
  bool between_settings() const { return plan_.algorithms().size() == 1; }

  struct Cell {
    std::size_t setting = 0, algorithm = 0;
  };
  struct Verdict {
    Race race;
    std::vector<Cell> cells;  // of its candidates
    Race::Values values;
  };
  const std::vector<Verdict>& verdicts() const { return verdicts_; }
  /// Runs that were asked for and have no value of the measure.
  std::size_t without_value() const;

 private:
  std::vector<std::size_t> positions(bool only_new) const;
  /// Of a candidate's repetition; null if it has none.
  const Finals* finals(const Cell& cell, std::size_t repetition) const;

  const SweepPlan& plan_;
  double error_;
  std::optional<std::size_t> measure_, replaced_;
  std::vector<Verdict> verdicts_;
  std::unordered_map<std::string, std::optional<Finals>> read_;  // by key
};

/// A candidate of a verdict beside the best one, or beside the present leader; one that was beaten,
/// beside the one that beat it.
struct ComparedCandidate {
  SweepDecision::Cell cell;
  std::uint32_t repetitions = 0;
  std::string_view result;             // best, equal (to the best), beaten, open
  std::optional<std::size_t> other;    // position; nothing for the leader itself
  std::optional<Statistics> to_other;  // differences
  std::optional<Interval> interval;    // of their mean, at the pair's error
  double above_leader = 0;             // the mean of its differences to the leader
};
std::vector<ComparedCandidate> compared_candidates(const SweepDecision::Verdict& verdict);

/// A row per setting and algorithm, in the plan's order.
DataTable decisions_table(const SweepDecision& decision);

}  // namespace posse
