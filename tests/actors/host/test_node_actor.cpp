// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <stdexcept>
#include <thread>

#include "actors/host/node_actor.hpp"
#include "actors/host/virtual_scheduler.hpp"

namespace test_node_actor {

using namespace posse;

namespace {

struct SilentRole final : Role {
  void on_message(const Message&, Reaction&) override {}
};

struct SystemConfig : caf::actor_system_config {
  SystemConfig() { load<VirtualScheduler>(); }
};

caf::actor node_actor(caf::actor_system& system) {
  caf::actor_config config;
  return caf::make_actor<NodeActor, caf::actor>(
      system.next_actor_id(), system.node(), &system, config, std::make_unique<SilentRole>());
}

}  // namespace

TEST_CASE("a node's actor takes its turn at once, on the thread that sends it") {
  SystemConfig config;
  caf::actor_system system(config);
  const auto actor = node_actor(system);
  std::thread::id thread;
  const std::function<void()> events = [&] { thread = std::this_thread::get_id(); };
  std::exception_ptr failure;
  caf::anon_send(actor, NodeTurn{&events, &failure, false});
  CHECK(thread == std::this_thread::get_id());
  CHECK_FALSE(failure);
}

TEST_CASE("what a turn throws is handed back to who gave it, and the actor goes on") {
  SystemConfig config;
  caf::actor_system system(config);
  const auto actor = node_actor(system);
  const std::function<void()> throwing = [] { throw std::runtime_error("no"); };
  std::exception_ptr failure;
  caf::anon_send(actor, NodeTurn{&throwing, &failure, false});
  REQUIRE(failure);
  CHECK_THROWS_WITH(std::rethrow_exception(failure), "no");
  int turns = 0;
  const std::function<void()> counting = [&] { ++turns; };
  caf::anon_send(actor, NodeTurn{&counting, &failure, false});
  CHECK(turns == 1);
}

TEST_CASE("a node's actor bounces a request that is not a turn") {
  SystemConfig config;
  caf::actor_system system(config);
  const auto actor = node_actor(system);
  bool refused = false;
  const auto asking = system.spawn([&](caf::event_based_actor* self) {
    self->request(actor, caf::infinite, std::string("hello"))
        .then([](const std::string&) {}, [&](const caf::error&) { refused = true; });
  });
  CHECK(refused);
}

}  // namespace test_node_actor
