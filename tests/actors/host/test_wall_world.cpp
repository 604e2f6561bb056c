// SPDX-License-Identifier: Apache-2.0
// The world in wall time, shared by plain threads in place of actors: the thread sanitizer doesn't
// see how CAF, which is not instrumented, hands messages from thread to thread.
#include <atomic>
#include <catch2/catch.hpp>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "actors/host/agenda.hpp"
#include "actors/host/wall_world.hpp"
#include "tests/support/chatter_simulation.hpp"
#include "tests/support/soloist.hpp"

namespace posse::test_wall_world {
namespace {

class NoWatch final : public Watch {
 public:
  Waited wait(Time, bool) override { return {StopReason::none, true}; }
  bool paces() const override { return false; }
  bool can_pause() const override { return false; }
  StopReason stop_reason() override { return StopReason::none; }
};

/// Every thread has the nodes whose numbers leave the same remainder.
class Threads {
 public:
  Threads(WallWorld& world, std::size_t count) : world_(world), agendas_(count) {
    for (std::size_t i = 0; i < count; ++i) threads_.emplace_back([this, i] { work(agendas_[i]); });
  }
  ~Threads() {
    for (auto& agenda : agendas_) {
      const std::lock_guard lock(agenda.mutex);
      agenda.over = true;
      agenda.changed.notify_all();
    }
  }
  void keep(std::vector<Appointment> appointments) {
    for (Appointment& made : appointments) {
      auto& agenda = agendas_[made.node.value % agendas_.size()];
      const std::lock_guard lock(agenda.mutex);
      const auto due = made.due;
      agenda.items.add(due, std::move(made));
      agenda.changed.notify_all();
    }
  }

 private:
  struct Shared {
    std::mutex mutex;
    std::condition_variable changed;
    Agenda<Appointment> items;
    bool over = false;
  };
  void work(Shared& agenda) {
    std::unique_lock lock(agenda.mutex);
    while (!agenda.over) {
      if (auto made = agenda.items.take(std::chrono::steady_clock::now())) {
        lock.unlock();
        Turn turn;
        keep(world_.take_turn(
            made->item.number, turn, made->item.copy ? made->item.copy->payload : Payload()));
        lock.lock();
      } else if (const auto next = agenda.items.next()) {
        agenda.changed.wait_until(lock, *next);
      } else {
        agenda.changed.wait(lock);
      }
    }
  }

  WallWorld& world_;
  std::vector<Shared> agendas_;
  std::vector<std::jthread> threads_;
};

}  // namespace

TEST_CASE("a report in wall time has nothing of a reaction that is under way") {
  constexpr Duration kWork{1'000'000'000};
  WallWorld* shared = nullptr;
  std::optional<ProcessReport> during;
  const test::Soloist protocol([&](Reaction& reaction) {
    reaction.work(kWork);
    reaction.observe(CountObserved{"first", 1});
    during = shared->next_report({}, false);
    reaction.observe(CountObserved{"second", 2});
    reaction.finish();
  });
  const auto algorithm = test::Soloist::spec();
  SimulationSpec spec;
  spec.algorithm = &algorithm;
  spec.protocol = &protocol;
  spec.in_wall_time = true;
  const Nodes nodes(protocol.groups());
  std::vector<std::unique_ptr<Role>> roles;
  roles.push_back(protocol.make_role(NodeId{0}));
  NoWatch watch;
  WallWorld world(spec, nodes, std::move(roles), nullptr, watch, nullptr);
  shared = &world;
  for (const Appointment& made : world.begin(std::chrono::steady_clock::now())) {
    Turn turn;
    world.take_turn(made.number, turn, {});
  }
  REQUIRE(during);
  CHECK(during->events == 1);
  CHECK(during->observations.empty());
  const auto after = world.end().observations;
  REQUIRE(after.size() == 2);
  CHECK(std::get<CountObserved>(after[0].observation).value == 1);
  CHECK(std::get<CountObserved>(after[1].observation).value == 2);
  for (const ObservationRecord& record : after) CHECK(record.time >= Time{} + kWork);
}

TEST_CASE("threads may share a world in wall time, and observers look at it") {
  std::atomic<std::uint64_t> seen{0};
  for (std::uint64_t number = 0; number < 6; ++number) {
    const auto topology = number % 2 == 0 ? Topology::star : Topology::full_mesh;
    const auto algorithm = test::chatter_spec(topology);
    const test::Chatter protocol(20, topology, Seed{number});
    auto spec = test::chatter_simulation(number, algorithm, protocol);
    spec.limits.virtual_time = Time{} + Duration::seconds(0.1);
    spec.trace_messages = spec.stoppable_nodes = spec.in_wall_time = true;
    const Nodes nodes(protocol.groups());
    std::vector<std::unique_ptr<Role>> roles;
    for (std::uint32_t i = 0; i < nodes.size(); ++i) roles.push_back(protocol.make_role(NodeId{i}));
    Progress progress;
    NoWatch watch;
    WallWorld world(spec, nodes, std::move(roles), &progress, watch, nullptr);
    std::jthread observer([&](const std::stop_token& over) {
      while (!over.stop_requested()) {
        progress.snapshots.ask();
        if (const auto latest = progress.snapshots.latest()) seen = latest->outcome.events;
        progress.interventions.ask(
            {Intervention::Action::cut,
             topology == Topology::star
                 ? std::vector<std::vector<FaultyNodes>>{{"server"}, {"client-2"}}
                 : std::vector<std::vector<FaultyNodes>>{{"player-1"}, {"player-2"}}});
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
      }
    });
    SimulationResult result;
    {
      Threads threads(world, 3);
      threads.keep(world.begin(std::chrono::steady_clock::now()));
      world.watch_over([&](auto appointments) { threads.keep(std::move(appointments)); });
      result = world.conclude();
    }
    observer.request_stop();
    INFO("network " << number << ": " << result.outcome.report);
    CHECK(result.outcome.status != RunStatus::ledger_violated);
    CHECK(result.outcome.status != RunStatus::failed);
    CHECK(result.outcome.events > 20);
  }
  CHECK(seen > 0);
}

}  // namespace posse::test_wall_world
