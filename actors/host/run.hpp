// SPDX-License-Identifier: Apache-2.0
// One run on CAF actors: one actor per node, in virtual time, over the simulated network.
#pragma once

#include <cstddef>

#include "core/sim/simulation.hpp"

namespace posse {

class WallLimit;

struct HostOptions {
  std::size_t threads = 1;
  /// Virtual seconds per second of wall time; 0: as fast as possible. Never changes a result.
  double pace = 0;
  /// Whether Progress::interventions may pause the run.
  bool pausable = false;
  /// The run's limit of wall time, if it began before the run; else it follows from the spec.
  WallLimit* wall_limit = nullptr;
};

/// The results of `run_serial`, bit for bit, but concurrent and on actors. With a lookahead below a
/// microsecond, the events run in serial order on one thread, and the result has a note.
SimulationResult run_actors(const SimulationSpec& spec,
                            const HostOptions& options,
                            Progress* progress = nullptr);

}  // namespace posse
