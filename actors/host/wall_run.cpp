// SPDX-License-Identifier: Apache-2.0
#include "actors/host/wall_run.hpp"

#include <caf/all.hpp>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "actors/host/actor_system.hpp"
#include "actors/host/wall_actors.hpp"
#include "actors/host/wall_clock.hpp"
#include "actors/host/wall_world.hpp"

namespace posse {
namespace {

/// Real time can't be held back: only the limit counts.
class LimitOnly final : public Watch {
 public:
  explicit LimitOnly(const WallLimit& limit) : limit_(limit) {}
  Waited wait(Time, bool) override { return {stop_reason(), true}; }
  bool paces() const override { return false; }
  bool can_pause() const override { return false; }
  StopReason stop_reason() override {
    return limit_.reached() ? StopReason::wall_time : StopReason::none;
  }

 private:
  const WallLimit& limit_;
};

class WallConfig : public caf::actor_system_config {
 public:
  explicit WallConfig(std::size_t threads) { set("scheduler.max-threads", threads); }
};

}  // namespace

SimulationResult run_in_wall_time(const SimulationSpec& simulated,
                                  const WallOptions& options,
                                  Progress* progress) {
  POSSE_CHECK(options.threads >= 1);
  SimulationSpec spec = simulated;
  spec.in_wall_time = true;
  WallLimit own_limit(spec.limits.wall_seconds);
  LimitOnly limit(options.wall_limit != nullptr ? *options.wall_limit : own_limit);
  const Nodes nodes(spec.protocol->groups());
  std::vector<std::unique_ptr<Role>> roles;
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    check_interruption();
    roles.push_back(spec.protocol->make_role(NodeId{i}));
  }
  WallWorld world(spec, nodes, std::move(roles), progress, limit, heeded_interruption());

  WallConfig config(options.threads);
  std::optional<caf::actor_system> system;
  set_up(system, config);
  WallActors actors(*system, world, nodes.size());
  actors.keep(world.begin());
  world.watch_over([&](auto appointments) { actors.keep(std::move(appointments)); });
  SimulationResult result = world.conclude();
  result.outcome.in_wall_time = true;
  result.outcome.fingerprint = 0;
  result.outcome.ingredients = {};
  return result;
}

}  // namespace posse
