// SPDX-License-Identifier: Apache-2.0
// The summary of a scenario's runs: measurements over repetitions beside their bounds, and
// comparisons of the algorithms.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/role/measurement.hpp"
#include "core/role/outcome.hpp"
#include "program/base/statistics.hpp"
#include "program/compare/arms_text.hpp"
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

/// Where the time of the rounds went, along the critical path of each complete one.
struct RoundTimes {
  std::uint64_t rounds = 0;
  std::array<double, kCriticalPathParts.size()> parts_s{};  // as kCriticalPathParts
  /// The node that was waited for in the most rounds, if that is more than chance would do; a round
  /// that several waited for is shared.
  std::string waited_for;
  double waited_rounds = 0;
};

struct AlgorithmSummary {
  std::string label;
  std::size_t size = 0;  // clients or arms
  bool of_arms = false;
  std::size_t finished = 0, others = 0;
  std::uint64_t tied_rounds = 0, rounds = 0;  // of all runs
  std::vector<MeasurementSummary> measurements;
  std::vector<MeasurementSummary> totals;  // what every run has: bytes on the wire, virtual time, …
  RoundTimes times;                        // of all finished repetitions, added up
  ArmLines arms;
};

struct Summary {
  std::string conditions;             // of all runs
  std::vector<std::string> warnings;  // those of the study, if there is one
  std::vector<AlgorithmSummary> algorithms;
  std::vector<ThresholdVerdict> thresholds;
  std::optional<StudyReport> study;           // of several algorithms
  std::vector<CommonComparison> comparisons;  // at the end of the runs, then at checkpoints
  std::string fingerprint, ties;              // ties: the order of equal times, unless as usual
  std::size_t repetitions = 0;                // of each algorithm
  std::size_t detailed_repetitions = 0;       // whose rounds, curves, cells and links are kept
};

Summary summarise(const Scenario& scenario, const ScenarioResult& result);

/// What fits a screen: the comparison, or the main numbers of the only algorithm; a line on bounds
/// and identities; where the time went; what is wrong.
std::string brief_text(const Summary& summary);
/// Everything. Counts that must be exact (identities) follow the bounds in a block of their own.
std::string details_text(const Summary& summary);

}  // namespace posse
