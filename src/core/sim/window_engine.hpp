// SPDX-License-Identifier: Apache-2.0
// The window engine: conservative parallel simulation.
//
// The lookahead L is the smallest latency any link can draw: what happens at one node in the window
// [kL, (k+1)L) can reach another node only in a later window. Nodes are split into shards, each
// with a calendar of its own. In a window the workers take shards by ticket; a shard handles its
// events node by node in (time, source, sequence) order, and events for other shards wait in an
// outbox until the window is over. Only a node's own timers and departures may fall into the
// current window; they pass through a small heap. Nothing depends on the assignment of shards to
// workers, so results are the same for any number of threads and shards.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "core/sim/run_control.hpp"

namespace posse {

struct WindowOptions {
  std::size_t threads = 1;
  Watch* watch = nullptr;
  /// Called on every thread that the engine starts, before it handles anything.
  std::function<void()> on_helper_start;
};

/// True if the lookahead is long enough for windows; otherwise use `run_in_serial_order`.
bool windows_possible(const World& world);

/// `hosts`: one per worker. They may be the same object if it is thread-safe for distinct nodes.
SimulationResult run_in_windows(const SimulationSpec& spec,
                                World& world,
                                const std::vector<RoleHost*>& hosts,
                                Progress* progress,
                                const WindowOptions& options);

}  // namespace posse
