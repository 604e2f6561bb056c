// SPDX-License-Identifier: Apache-2.0
// Recorded actions (actions.csv.gz), given times on another network as `what-if` does. The input is
// the file, unpacked: zlib reads both.
#include <string>

#include "core/sim/recording.hpp"
#include "core/sim/simulation.hpp"
#include "program/base/files.hpp"
#include "program/replay/stored_scenario.hpp"
#include "program/results/recorded_actions.hpp"
#include "tests/fuzz/samples.hpp"
#include "tests/fuzz/sandbox.hpp"
#include "tests/fuzz/targets.hpp"

namespace posse::fuzz {
namespace {

constexpr std::uint64_t kMostEvents = 20'000;

}  // namespace

void fuzz_actions(std::string_view input) {
  static Sandbox sandbox;
  static const StoredRun& stored = [&]() -> StoredRun& {
    sandbox.hold(sample_run());
    return *new StoredRun(sandbox.path());
  }();
  static Scenario scenario = stored_scenario(stored);
  sandbox.write("actions.csv.gz", input);
  std::vector<RecordedRun> runs;
  try {
    runs = read_actions(stored, scenario);
  } catch (const FileError& error) {
    require(*error.what() != '\0', "an error has a text");
    return;
  }
  require(runs.size() == stored.runs().size(), "a recording for each run");
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (!runs[i].obstacle.empty()) continue;
    const AlgorithmEntry& entry = scenario.algorithms[stored.runs()[i].algorithm];
    const auto protocol = make_recorded_protocol(*entry.spec, runs[i]);
    SimulationSpec spec =
        make_simulation(scenario, entry, {}, *protocol, stored.runs()[i].repetition);
    spec.limits.events = kMostEvents;
    if (!obstacle_to_retiming(spec).empty()) continue;
    run_serial(spec);
  }
}

}  // namespace posse::fuzz
