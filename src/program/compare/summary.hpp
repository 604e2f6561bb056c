// SPDX-License-Identifier: Apache-2.0
// The summary of a scenario's runs: measurements over repetitions beside their bounds, and
// comparisons of the algorithms.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/role/measurement.hpp"
#include "core/role/outcome.hpp"
#include "program/base/statistics.hpp"
#include "program/compare/comparison.hpp"
#include "program/compare/study_report.hpp"
#include "program/compare/threshold_verdicts.hpp"
#include "program/run/runner.hpp"

namespace posse {

/// One measurement of one algorithm over its finished repetitions.
struct MeasurementSummary {
  std::string name, unit;
  Statistics measured;
  std::optional<Bound> bound;  // of the first repetition; its value is the mean over all
  std::size_t exceeded = 0;    // repetitions in which a bound that applies did not hold
  bool vacuous = false;        // the bound is (is_vacuous) in every repetition
};

struct AlgorithmSummary {
  std::string label;
  std::size_t finished = 0, others = 0;
  std::uint64_t tied_rounds = 0, rounds = 0;  // of all runs
  std::vector<MeasurementSummary> measurements;
  CriticalPaths paths;                     // of all finished repetitions, added up
  std::vector<MeasurementSummary> totals;  // what every run has: bytes on the wire, virtual time, …
};

struct Summary {
  std::vector<std::string> warnings;  // those of the study, if there is one
  std::vector<AlgorithmSummary> algorithms;
  std::vector<ThresholdVerdict> thresholds;
  std::optional<StudyReport> study;           // of several algorithms
  std::vector<CommonComparison> comparisons;  // at the end of the runs, then at checkpoints
};

Summary summarise(const Scenario& scenario, const ScenarioResult& result);

/// As text of at most 100 columns. Counts that must be exact (identities) follow the bounds in a
/// block of their own.
std::string to_text(const Summary& summary, const Scenario& scenario, const ScenarioResult& result);

}  // namespace posse
