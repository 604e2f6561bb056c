// Views of a scenario's runs for observers: the common source of metrics and the live view.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/network/nodes.hpp"
#include "core/role/measurement.hpp"
#include "core/role/protocol.hpp"
#include "core/sim/snapshot.hpp"
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
  std::shared_ptr<const RunSnapshot> snapshot;  // never null; empty before the run starts
  std::vector<Measurement> measurements;        // once the run has ended
  Forecast forecast;                            // all 0 before the run starts
  double wall_s = 0;
  std::vector<std::string>
      nodes;  // names by id; empty above kMostNodesWithLinks and before the run starts
  std::shared_ptr<const NodeNames> names;  // null before the run starts
  Topology topology = Topology::none;
  const RunRecord* record = nullptr;  // once the run has ended
};

struct ScenarioView {
  const Scenario* scenario = nullptr;
  /// All runs, in the order of ScenarioResult::runs; unchanged views are the same objects.
  std::vector<std::shared_ptr<const RunView>> runs;
};

/// "quickstart/fed-pne/0"
std::string run_id(const Scenario& scenario, std::size_t algorithm, std::uint32_t repetition);

}  // namespace posse
