// SPDX-License-Identifier: Apache-2.0
// Runs a scenario: repetitions × algorithms as independent runs on a pool of threads.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/domain/partition.hpp"
#include "core/network/nodes.hpp"
#include "core/role/measurement.hpp"
#include "core/sim/simulation.hpp"
#include "program/base/exit_codes.hpp"
#include "program/base/warning.hpp"
#include "program/run/run_figures.hpp"
#include "program/scenario/scenario.hpp"

namespace posse {

/// `actors` is the default; `serial` and `windows` are reference kernels with equal fingerprints.
/// `wall`: actors in wall time, without a fingerprint.
enum class Kernel { actors, serial, windows, wall };

/// What is kept of every run beside its results.
struct Traces {
  bool messages = false;  // the fate of every copy, and when nodes worked
  bool all = false;       // also what the nodes did, so that the run can happen on another network
};

/// Runs simulations in place of a kernel.
class RunHost {
 public:
  virtual ~RunHost() = default;
  virtual SimulationResult run(const Scenario& scenario,
                               const SimulationSpec& spec,
                               const struct RunNumber& number,
                               class WallLimit& limit,
                               Progress* progress) = 0;
};

struct RunOptions {
  std::size_t threads = 1;
  double pace = 0;  // virtual seconds per wall second; 0: as fast as possible
  Kernel kernel = Kernel::actors;
  RunHost* host = nullptr;  // instead of the kernel, which is then Kernel::wall
  Traces traces;
  bool watched = false;  // by the live page: the latest messages are kept, the run can be paused
  std::optional<std::uint32_t> only_repetition;  // run only this one
  std::uint32_t first_repetition = 0;            // leave out those before it
  std::uint32_t detailed_repetitions = 1000;     // the first ones, whose details are kept
  class MemoryGate* memory = nullptr;            // that runs must fit in; null: whatever they need
};

/// The space of arms with two dimensions, and how cells divide it.
struct ArmPlane {
  Box domain;
  PartitionKind partition = PartitionKind::cyclic;
  std::vector<std::vector<double>>
      optima;  // of the mean of the clients' functions, as far as known
};

/// What is known when a run starts.
struct RunStart {
  std::chrono::steady_clock::time_point began{};
  Forecast forecast;
  NodeNames names{{}};
  Topology topology = Topology::none;
  ComparisonFacts facts;
  bool in_wall_time = false;  // it can't be paused
  /// By node, of runs whose nodes an observer may stop: can it lose its state? Else empty.
  std::vector<bool> can_lose_state;
  std::optional<ArmPlane>
      plane;  // none if the arms are no plane, or no cells that are known before
};
/// Nodes of larger runs cannot be stopped by observers.
inline constexpr std::uint32_t kMostStoppableNodes = 100'000;

/// One algorithm in one repetition.
struct RunRecord {
  std::size_t algorithm = 0;  // index in the scenario
  std::uint32_t repetition = 0;
  bool started = false;  // false: the program was stopped before this run
  RunStart start;        // empty if its set-up failed
  SimulationResult result;
  std::vector<Measurement> measurements;
  std::vector<OwnMeasure> own_measures;  // of the algorithm
  std::vector<Warning> warnings;
  std::uint64_t results_hash = 0;  // of the result files' values
  double wall_s = 0;
};

/// Repetition by repetition, algorithms in the scenario's order.
struct ScenarioResult {
  std::vector<RunFigures> figures;  // of all runs
  std::vector<RunRecord> runs;      // those whose details are kept: the first ones
  std::uint64_t fingerprint = 0;    // over all runs, in that order

  bool has_all_details() const { return runs.size() == figures.size(); }
  std::size_t detailed_repetitions(const Scenario& scenario) const {
    return runs.size() / scenario.algorithms.size();
  }
};
/// The result of these runs, which all keep their details.
ScenarioResult result_of(const Scenario& scenario, std::vector<RunRecord> runs);
/// Appends the runs of `more`, which come later.
void append(ScenarioResult& result, ScenarioResult&& more);

/// 16 hexadecimal digits, or kNoFingerprint for what ran in wall time.
std::string fingerprint_text(const RunOutcome& run);
std::string fingerprint_text(const RunFigures& run);
std::string fingerprint_text(const ScenarioResult& result);
inline constexpr std::string_view kNoFingerprint = "none";

/// Why nobody can repeat the moment at which a run with this status ended; else empty.
std::string_view unrepeatable_end(std::string_view status, std::string_view report);

/// What observers on other threads may read.
struct RunMonitor {
  struct Slot {
    Progress progress;
    std::atomic<bool> running{false};
    std::atomic<bool> done{false};
    bool keeps_details = true;  // else `start` and `record` stay null
    /// Null before the run has started and ended, respectively. They are part of the results.
    std::atomic<const RunStart*> start{nullptr};
    std::atomic<const RunRecord*> record{nullptr};
    std::atomic<const RunFigures*> figures{nullptr};
  };
  explicit RunMonitor(std::size_t runs) : slots(runs) {}
  std::vector<Slot> slots;
  std::atomic<bool> cancel{false};
};

std::size_t number_of_runs(const Scenario& scenario, const RunOptions& options);
struct RunNumber {
  std::size_t algorithm = 0;  // index in the scenario
  std::uint32_t repetition = 0;
};
/// Which run number `index` is.
RunNumber run_at(const Scenario& scenario, const RunOptions& options, std::size_t index);
/// Evaluations of all clients, or pulls, of a run that uses its whole budget.
double expected_evaluations(const Scenario& scenario, const AlgorithmEntry& entry);

/// The problem or the arms of an algorithm's run.
using WorkloadOf = std::function<Workload(const AlgorithmEntry&, std::uint32_t repetition)>;

/// Runs `run`, whose algorithm and repetition are set. Exceptions become its status `failed`. The
/// slot stays `running`.
void run_one(const Scenario& scenario,
             const RunOptions& options,
             std::size_t threads,
             const WorkloadOf& workload_of,
             RunMonitor::Slot& slot,
             RunRecord& run);

/// Exceptions of a run become its status `failed`. Results do not depend on the number of threads.
ScenarioResult run_scenario(const Scenario& scenario,
                            const RunOptions& options,
                            RunMonitor& monitor);

/// While run_scenario works with details of all or some runs: the runs that have ended; the others
/// as stopped, or as not started.
ScenarioResult results_so_far(const Scenario& scenario,
                              const RunOptions& options,
                              const RunMonitor& monitor);

/// The worst of all runs: internal failure, then a violated bound or ledger, then no progress.
ExitCode exit_code_of(const ScenarioResult& result);
ExitCode exit_code_of(const RunRecord& run);

}  // namespace posse
