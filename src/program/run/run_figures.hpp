// SPDX-License-Identifier: Apache-2.0
// What is kept of every run, however many there are: enough for tables, comparisons and verdicts.
//
// Details (RunRecord) are kept of the first repetitions only: rounds, curves, cells and links of a
// run take 20 times the memory of its figures.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/role/measurement.hpp"
#include "core/role/outcome.hpp"
#include "core/role/protocol.hpp"
#include "program/base/exit_codes.hpp"
#include "program/base/quantities.hpp"
#include "program/base/warning.hpp"
#include "program/run/verdict.hpp"

namespace posse {

struct RunRecord;
struct Scenario;

/// The measurements of a run. Names, units and notes are shared with other runs.
struct MeasuredNumbers {
  /// Measurements like these, but for the numbers.
  std::shared_ptr<const std::vector<Measurement>> like;
  std::vector<double> numbers;  // of each the measured value, then that of its bound, if any
};
/// Measurements with the numbers of one run after another.
class MeasuredReader {
 public:
  /// Valid until the next call.
  const std::vector<Measurement>& read(const MeasuredNumbers& measured);

 private:
  std::shared_ptr<const std::vector<Measurement>> like_;
  std::vector<Measurement> now_;
};

/// One algorithm in one repetition.
struct RunFigures {
  std::size_t algorithm = 0;  // index in the scenario
  std::uint32_t repetition = 0;
  bool started = false;
  bool in_wall_time = false;
  bool touched = false;  // by an observer: links were cut or nodes stopped
  RunStatus status = RunStatus::finished;
  ExitCode exit_code = ExitCode::ok;
  std::uint64_t fingerprint = 0;
  std::uint64_t events = 0, rounds = 0, tied_rounds = 0;
  double wall_s = 0;
  std::string report, note;
  std::vector<Warning> warnings;
  ComparisonFacts facts;
  WorstCase worst;
  Finals finals;
  /// Regrets after 1, 2, 4, … evaluations per client: for each, kQuantitiesWithCurves numbers; NaN
  /// where a curve has none. A simple regret is that of the last recommendation up to there.
  std::vector<double> at_checkpoints;
  std::uint64_t max_evaluations = 0;  // of any client
  MeasuredNumbers measurements;       // of the algorithm
  MeasuredNumbers totals;             // what every run has: bytes on the wire, virtual time, …
  /// CriticalPaths, in less memory.
  std::uint64_t path_rounds = 0;
  std::array<Duration, kCriticalPathParts.size()> path_parts{};
  std::vector<std::pair<NodeId, std::uint64_t>> waited_for;
  ArmsSummary arms;

  bool finished() const { return started && status == RunStatus::finished; }
  std::optional<double> at_checkpoint(std::size_t quantity, std::size_t power_of_two) const;
};
/// "finished", "stalled", …, or "not_started".
std::string_view status_of(const RunFigures& run);

/// Makes figures of runs; runs alike share names. Thread-safe.
class FigureMaker {
 public:
  explicit FigureMaker(const Scenario& scenario);
  RunFigures figures_of(const RunRecord& run);

 private:
  using Shared = std::shared_ptr<const std::vector<Measurement>>;
  MeasuredNumbers numbers_of(const std::vector<Measurement>& measurements, Shared& latest);

  const Scenario& scenario_;
  std::mutex mutex_;
  std::vector<Shared> measurements_, totals_;  // by algorithm, the latest ones
};

}  // namespace posse
