// SPDX-License-Identifier: Apache-2.0
// Views of a scenario's runs for observers: the common source of metrics and the live page.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/time.hpp"
#include "core/role/outcome.hpp"
#include "core/sim/snapshot.hpp"
#include "program/run/run_figures.hpp"
#include "program/run/runner.hpp"
#include "program/scenario/scenario.hpp"

namespace posse {

enum class RunState { waiting, running, paused, over };

constexpr std::string_view to_string(RunState state) {
  switch (state) {
    case RunState::waiting:
      return "waiting";
    case RunState::running:
      return "running";
    case RunState::paused:
      return "paused";
    case RunState::over:
      return "over";
  }
  return "?";
}

/// One algorithm in one repetition.
struct RunView {
  std::string
      id;  // "quickstart/fed-pne/0": the scenario's name, the algorithm's label, the repetition
  std::size_t algorithm = 0;  // index in the scenario
  std::uint32_t repetition = 0;
  RunState state = RunState::waiting;
  double wall_s = 0;
  const RunStart* start = nullptr;              // null before the run starts
  std::shared_ptr<const RunSnapshot> snapshot;  // never null; empty before the run starts
  const RunFigures* figures = nullptr;          // null before the run has ended
  const RunRecord* record = nullptr;            // null before the end, and without details

  /// False of an ended run of which only figures are kept.
  bool has_details() const { return figures == nullptr || record != nullptr; }
  RunStatus status() const;
  /// The latest state of the run's counters; empty without details.
  const RunOutcome& outcome() const;
  /// The run's virtual time: of the latest event, or, if it finished, when its last role finished.
  Time now() const;
};
/// A run that has not started.
RunView waiting_view(const Scenario& scenario, RunNumber run);
/// A run as it is in the results, with an empty snapshot and no figures; refers to `record`.
RunView view_of_record(const Scenario& scenario, const RunRecord& record);

struct ScenarioView {
  const Scenario* scenario = nullptr;
  /// All runs, in the order of ScenarioResult::runs; unchanged views are the same objects.
  std::vector<std::shared_ptr<const RunView>> runs;
};

/// "quickstart/fed-pne/0"
std::string run_id(const Scenario& scenario, std::size_t algorithm, std::uint32_t repetition);

}  // namespace posse
