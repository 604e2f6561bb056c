// SPDX-License-Identifier: Apache-2.0
// Adds up the workers of a run, for snapshots and at its end.
#pragma once

#include <string>
#include <vector>

#include "core/sim/simulation.hpp"
#include "core/sim/snapshot.hpp"
#include "core/sim/world.hpp"

namespace posse {

/// Adds up the workers while none of them runs. The observations' part of `snapshot.outcome` must
/// be filled in. All events before `settled` have been handled.
void fill_snapshot(const World& world,
                   const std::vector<Worker*>& workers,
                   Time settled,
                   RunSnapshot& snapshot);

/// Fills in kRecentMessages copies, by sending; of each worker only those whose fates were decided
/// last.
void fill_recent_messages(const std::vector<Worker*>& workers, RunSnapshot& snapshot);

/// Adds up the workers at the end of a run, checks the accounts and fills in everything except the
/// observations' part. A failed role or a wrong account replaces `status` and `report`.
void conclude(const World& world,
              const std::vector<Worker*>& workers,
              RunStatus status,
              std::string report,
              SimulationResult& result);

}  // namespace posse
