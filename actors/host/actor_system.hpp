// SPDX-License-Identifier: Apache-2.0
// Makes CAF's actor systems, also where their constructors fail.
#pragma once

#include <caf/all.hpp>
#include <optional>

namespace posse {

/// Actors on so many threads.
class ThreadsConfig : public caf::actor_system_config {
 public:
  explicit ThreadsConfig(std::size_t threads) { set("scheduler.max-threads", threads); }
};

/// Throws what the constructor throws, for example where there are no more threads.
void set_up(std::optional<caf::actor_system>& system, caf::actor_system_config& config);

}  // namespace posse
