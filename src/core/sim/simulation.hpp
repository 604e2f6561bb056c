// SPDX-License-Identifier: Apache-2.0
// Input and output of a run, the same for all kernels, and its progress while it runs.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/base/ids.hpp"
#include "core/base/time.hpp"
#include "core/network/config.hpp"
#include "core/network/fault_record.hpp"
#include "core/network/ledger.hpp"
#include "core/objective/problem.hpp"
#include "core/role/outcome.hpp"
#include "core/role/protocol.hpp"
#include "core/sim/intervention.hpp"
#include "core/sim/message_record.hpp"
#include "core/sim/recording.hpp"
#include "core/sim/service_sample.hpp"
#include "core/sim/snapshot.hpp"
#include "core/sim/work_record.hpp"

namespace posse {

/// A point of a regret curve, after `evaluations` evaluations per client.
struct RegretPoint {
  std::uint64_t evaluations = 0;
  std::uint32_t rounds = 0;
  std::uint64_t bytes = 0;
  double virtual_s = 0;
  std::string_view metric;  // cumulative_regret, simple_regret, local_…
  double value = 0;
};

/// A point of an arm's curve: its state after one of its pulls, in the user's values.
struct ArmPoint {
  std::uint32_t arm = 0;          // from 0
  std::uint64_t pulls = 0;        // of this arm
  std::uint64_t total_pulls = 0;  // of all arms, this one included
  double virtual_s = 0;
  double value = 0, best = 0, bound = 0;
};

/// Progress of a run in progress, and requests to it, for other threads.
struct Progress {
  std::atomic<std::uint64_t> events{0};
  // Of all clients; within a reaction that makes very many, those that it has made so far.
  std::atomic<std::uint64_t> evaluations{0};
  std::atomic<std::uint32_t> rounds{0};
  std::atomic<std::int64_t> virtual_ns{0};
  std::atomic<bool> cancel{false};  // ask the run to stop at the next window (Ctrl-C)
  std::atomic<bool> ending{false};  // no more events are handled
  SnapshotExchange snapshots;
  InterventionQueue interventions;
};

struct SimulationSpec {
  const AlgorithmSpec* algorithm = nullptr;
  const Protocol* protocol = nullptr;
  const Problem* problem = nullptr;  // may be null
  const ArmSet* arms = nullptr;      // may be null
  std::uint32_t clients = 1;
  Seed seed;
  NetworkConfig network;
  ComputeConfig compute;
  Limits limits;
  bool trace_messages = false;            // keep the fate of every copy, and when nodes worked
  bool record = false;                    // what the nodes do (recording.hpp)
  bool recent_messages = false;           // keep the latest few for snapshots
  bool stoppable_nodes = false;           // by interventions
  bool in_wall_time = false;              // events happen when they are due or a little later
  bool measures_service = false;          // in wall time
  bool order_matters_everywhere = false;  // for tests: to every role, whatever its protocol says
  /// For tests: changes the ledger just before it is checked.
  std::function<void(Ledger&)> tamper_with_ledger;
};

struct SimulationResult {
  RunOutcome outcome;
  std::vector<std::string> node_names;  // by node id; empty above 100 000 nodes
  Duration smallest_latency{};          // that any link can draw; 0 without links
  std::string note;  // a remark on the kernel, e.g. that it ran serially for lack of lookahead; may
                     // be empty
  std::vector<MessageRecord> messages;      // only with trace_messages
  std::vector<WorkRecord> work;             // only with trace_messages; by node and time; disjoint
  std::optional<RecordedRun> recorded;      // only with record
  std::vector<RegretPoint> regret_curve;    // geometric checkpoints
  std::vector<ArmPoint> arm_curves;         // geometric checkpoints in each arm's pulls; arm by arm
  std::vector<ServiceSample> service;       // only with measures_service
  std::vector<Intervention> interventions;  // in the order in which they took effect
  std::uint32_t reached = 0;                // branches of the kernel (branches.hpp)
  std::vector<FaultRecord> faults;  // that began or ended, in the order of time; of each fault of
                                    // links the first kMostRecorded

  std::string name_of(NodeId node) const {
    return node.value < node_names.size() ? node_names[node.value]
                                          : "node-" + std::to_string(node.value);
  }
};

/// The reference kernel: one priority queue, function calls, one thread.
SimulationResult run_serial(const SimulationSpec& spec, Progress* progress = nullptr);

/// The window engine with roles called directly, without actors: as `run_serial`, but concurrent.
SimulationResult run_windows(const SimulationSpec& spec,
                             std::size_t threads,
                             Progress* progress = nullptr);

}  // namespace posse
