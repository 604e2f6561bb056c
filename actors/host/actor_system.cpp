// SPDX-License-Identifier: Apache-2.0
#include "actors/host/actor_system.hpp"

#include "core/base/memory_reserve.hpp"

namespace posse {

// A system whose constructor fails destroys its actors after what they need, and this thread goes
// on to refer to its logger, whose end needs the place where the system was to be.
void set_up(std::optional<caf::actor_system>& system, caf::actor_system_config& config) {
  const OwnReserve reserve;
  try {
    system.emplace(config);
  } catch (...) {
    caf::logger::set_current_actor_system(nullptr);
    throw;
  }
}

}  // namespace posse
