// SPDX-License-Identifier: Apache-2.0
#include "actors/host/wall_run.hpp"

#include <caf/all.hpp>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "actors/host/actor_system.hpp"
#include "actors/host/limit_watch.hpp"
#include "actors/host/wall_actors.hpp"
#include "actors/host/wall_world.hpp"

namespace posse {
SimulationResult run_in_wall_time(const SimulationSpec& simulated,
                                  const WallOptions& options,
                                  Progress* progress) {
  POSSE_CHECK(options.threads >= 1);
  SimulationSpec spec = simulated;
  spec.in_wall_time = true;
  WallLimit own_limit(spec.limits.wall_seconds);
  LimitWatch limit(options.wall_limit != nullptr ? *options.wall_limit : own_limit);
  const Nodes nodes(spec.protocol->groups());
  std::vector<std::unique_ptr<Role>> roles;
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    check_interruption();
    roles.push_back(spec.protocol->make_role(NodeId{i}));
  }
  WallWorld world(spec, nodes, std::move(roles), progress, limit, heeded_interruption());

  ThreadsConfig config(options.threads);
  std::optional<caf::actor_system> system;
  set_up(system, config);
  WallActors actors(*system, world, 0, std::vector<bool>(nodes.size(), true), {});
  actors.keep(world.begin(std::chrono::steady_clock::now()));
  world.watch_over([&](auto appointments) { actors.keep(std::move(appointments)); });
  return world.conclude();
}

}  // namespace posse
