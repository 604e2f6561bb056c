// SPDX-License-Identifier: Apache-2.0
#include "actors/host/run.hpp"

#include <fmt/format.h>

#include <caf/all.hpp>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "actors/host/actor_system.hpp"
#include "actors/host/node_actor.hpp"
#include "actors/host/virtual_scheduler.hpp"
#include "actors/host/wall_clock.hpp"
#include "core/base/fetch.hpp"
#include "core/base/huge_pages.hpp"
#include "core/base/interruption.hpp"
#include "core/sim/run_control.hpp"
#include "core/sim/window_engine.hpp"
#include "core/sim/world.hpp"

namespace posse {
namespace {

/// A reusable mailbox element. A worker has one turn under way at a time, and CAF deletes elements
/// through a virtual function.
class ReusableElement final
    : public caf::mailbox_element,
      public caf::detail::tuple_vals_impl<caf::type_erased_tuple, NodeTurn> {
 public:
  using Content = caf::detail::tuple_vals_impl<caf::type_erased_tuple, NodeTurn>;
  ReusableElement() : Content(NodeTurn{}) {}

  NodeTurn& turn() { return std::get<0>(data()); }
  caf::type_erased_tuple& content() override { return *this; }
  const caf::type_erased_tuple& content() const override { return *this; }
  caf::message move_content_to_message() override { return caf::make_message(turn()); }
  caf::message copy_content_to_message() const override {
    return caf::make_message(std::get<0>(data()));
  }
  void request_deletion(bool) const noexcept override {}
};

/// All node actors of a run, in one block of memory.
class Population {
 public:
  Population(caf::actor_system& system, const Protocol& protocol, std::uint32_t nodes)
      : room_(nodes), actors_(HugePages<Actor>().allocate(nodes)) {
    try {
      for (; size_ < nodes; ++size_) {
        check_interruption();
        caf::actor_config config;
        new (&actors_[size_]) Actor(system.next_actor_id(),
                                    system.node(),
                                    &system,
                                    config,
                                    protocol.make_role(NodeId{size_}));
      }
    } catch (...) {
      end();
      throw;
    }
  }
  Population(const Population&) = delete;
  Population& operator=(const Population&) = delete;
  ~Population() { end(); }
  NodeActor& actor(NodeId node) const { return actors_[node.value].data; }

 private:
  using Actor = caf::actor_storage<NodeActor>;
  void end() {
    while (size_ > 0) {
      Actor& last = actors_[--size_];
      last.data.~NodeActor();
      last.~Actor();
    }
    HugePages<Actor>().deallocate(actors_, room_);
  }

  std::uint32_t room_, size_ = 0;
  Actor* actors_;
};

/// Calls the roles for one worker, in turns of the node actors.
class ActorHost final : public RoleHost {
 public:
  ActorHost(caf::actor_system& system, const Population& population)
      : population_(population), unit_(&system) {}

  Duration react(NodeId node, const Stimulus& stimulus, Reaction& reaction) override {
    VirtualClock::set(reaction.now());
    NodeActor& actor = population_.actor(node);
    if (&actor == has_turn_)
      call_role(actor.role(), stimulus, reaction);
    else
      give_turn(node, [&] { call_role(actor.role(), stimulus, reaction); });
    return {};
  }
  void give_turn(NodeId node, const std::function<void()>& events) override {
    std::exception_ptr failure;
    element_.turn() = {&events, &failure, false};
    NodeActor& actor = population_.actor(node);
    has_turn_ = &actor;
    actor.enqueue(caf::mailbox_element_ptr(&element_), &unit_);
    has_turn_ = nullptr;
    if (failure) std::rethrow_exception(failure);
    POSSE_CHECK(element_.turn().taken, "the actor of node {} did not take its turn", node.value);
  }
  void fetch_actor(NodeId node) const override { population_.actor(node).fetch_role_place(); }
  void fetch_role(NodeId node) const override {
    const auto* role = reinterpret_cast<const char*>(&population_.actor(node).role());
    fetch(role);
    fetch(role + 64);
  }
  void expect_message(NodeId node, NodeId from) const override {
    population_.actor(node).role().expect_message(from);
  }
  void replace(NodeId node, std::unique_ptr<Role> role) override {
    population_.actor(node).replace(std::move(role));
  }
  std::optional<Waiting> waiting(NodeId node) const override {
    return population_.actor(node).role().waiting();
  }
  std::uint32_t messages_before_finish(NodeId node) const override {
    return population_.actor(node).role().messages_before_finish();
  }

 private:
  const Population& population_;
  VirtualUnit unit_;
  ReusableElement element_;
  const NodeActor* has_turn_ = nullptr;
};

class SystemConfig : public caf::actor_system_config {
 public:
  SystemConfig() { load<VirtualScheduler>(); }
};

}  // namespace

SimulationResult run_actors(const SimulationSpec& spec,
                            const HostOptions& options,
                            Progress* progress) {
  POSSE_CHECK(options.threads >= 1);
  WallLimit own_limit(spec.limits.wall_seconds);
  WallLimit& limit = options.wall_limit != nullptr ? *options.wall_limit : own_limit;
  const Nodes nodes(spec.protocol->groups());
  World world(spec, nodes);

  SystemConfig config;
  std::optional<caf::actor_system> system;
  set_up(system, config);
  const Population population(*system, *spec.protocol, nodes.size());

  std::unique_ptr<WallClock> clock;
  if (options.pace > 0 || limit.any() || options.pausable)
    clock = std::make_unique<WallClock>(options.pace, limit);
  // CAF takes a global lock at every resume of a thread whose logger is set.
  caf::logger::set_current_actor_system(nullptr);

  if (!windows_possible(world)) {
    ActorHost host(*system, population);
    auto result = run_in_serial_order(spec, world, host, progress, clock.get());
    if (options.threads > 1)
      result.note =
          fmt::format("a link can have a latency of {} ns, so events run one by one on one thread",
                      world.network().lookahead().value_or(Duration{}).ns);
    return result;
  }
  std::vector<std::unique_ptr<ActorHost>> hosts;
  std::vector<RoleHost*> host_of_worker;
  for (std::size_t w = 0; w < options.threads; ++w) {
    hosts.push_back(std::make_unique<ActorHost>(*system, population));
    host_of_worker.push_back(hosts.back().get());
  }
  WindowOptions windows;
  windows.threads = options.threads;
  windows.watch = clock.get();
  windows.on_helper_start = [] { caf::logger::set_current_actor_system(nullptr); };
  return run_in_windows(spec, world, host_of_worker, progress, windows);
}

}  // namespace posse
