// The window engine: conservative parallel simulation.
//
// L, the smallest latency any link can draw, is the lookahead: what happens at one node in the
// window [kL, (k+1)L) can reach another only in a later window. So nodes are split into shards,
// each with its own calendar; in a window the workers take shards by ticket, each shard handles
// its events node by node in (time, source, sequence) order, and what is meant for another shard
// waits in an outbox until the window is over. Only a node's own timers and departures may
// fall into the current window; they pass through a small heap. Nothing depends on which
// worker takes which shard, so results are the same for any number of threads and shards.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "core/sim/run_control.hpp"

namespace posse {

struct WindowOptions {
  std::size_t threads = 1;
  Watch* watch = nullptr;
  /// Called on every worker's thread before it handles anything.
  std::function<void(std::size_t worker)> on_worker_start;
};

/// True if the lookahead is long enough for windows; otherwise use `run_in_serial_order`.
bool windows_possible(const World& world);

/// `hosts`: one per worker (they may be the same object if it is thread-safe for distinct nodes).
SimulationResult run_in_windows(const SimulationSpec& spec,
                                World& world,
                                const std::vector<RoleHost*>& hosts,
                                Progress* progress,
                                const WindowOptions& options);

}  // namespace posse
