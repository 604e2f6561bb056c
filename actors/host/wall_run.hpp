// SPDX-License-Identifier: Apache-2.0
// One run in wall time: the same roles as CAF actors on CAF's own threads, which really wait, send
// and compute. Latencies and losses are those of the scenario.
#pragma once

#include <cstddef>

#include "core/base/interruption.hpp"
#include "core/sim/simulation.hpp"

namespace posse {

class WallLimit;

struct WallOptions {
  std::size_t threads = 1;  // on which actors run
  /// The run's limit of wall time, if it began before the run; else it follows from the spec.
  WallLimit* wall_limit = nullptr;
};

/// A result in wall time has no fingerprint: no two runs are alike. Its ledger is as exact as in
/// virtual time. The thread that calls heeds what reactions heed (interruption.hpp).
SimulationResult run_in_wall_time(const SimulationSpec& simulated,
                                  const WallOptions& options,
                                  Progress* progress = nullptr);

}  // namespace posse
