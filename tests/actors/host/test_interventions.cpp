// SPDX-License-Identifier: Apache-2.0
// Runs on actors that somebody looks at, pauses, steps and cuts links of, with the wall clock.
#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <functional>
#include <thread>

#include "actors/echo/protocol.hpp"
#include "actors/fed_pne/protocol.hpp"
#include "actors/host/run.hpp"
#include "actors/instances/protocol.hpp"
#include "tests/support/describe.hpp"
#include "tests/support/problems.hpp"
#include "tests/support/random_network.hpp"
#include "tests/support/watched.hpp"

namespace posse::test_interventions {
namespace {

using namespace std::chrono_literals;
using Action = Intervention::Action;
using Clock = std::chrono::steady_clock;
using Groups = std::vector<std::vector<FaultyNodes>>;

Duration ms(double x) { return Duration::seconds(x * 1e-3); }

/// Another protocol's roles, which call a function of the test's after each reaction.
class Accompanied final : public Protocol {
 public:
  class Companion final : public Role {
   public:
    Companion(std::unique_ptr<Role> role, const std::function<void()>& after)
        : role_(std::move(role)), after_(after) {}
    void on_start(Reaction& reaction) override {
      role_->on_start(reaction);
      after_();
    }
    void on_message(const Message& message, Reaction& reaction) override {
      role_->on_message(message, reaction);
      after_();
    }
    void on_timer(TimerId timer, Reaction& reaction) override {
      role_->on_timer(timer, reaction);
      after_();
    }
    std::optional<Waiting> waiting() const override { return role_->waiting(); }

   private:
    std::unique_ptr<Role> role_;
    const std::function<void()>& after_;
  };
  Accompanied(const Protocol& protocol, std::function<void()> after)
      : protocol_(protocol), after_(std::move(after)) {}
  std::vector<NodeGroup> groups() const override { return protocol_.groups(); }
  std::unique_ptr<Role> make_role(NodeId node) const override {
    return std::make_unique<Companion>(protocol_.make_role(node), after_);
  }
  std::vector<Measurement> measurements(const RunOutcome& outcome) const override {
    return protocol_.measurements(outcome);
  }
  Forecast forecast() const override { return protocol_.forecast(); }
  bool several_evaluators() const override { return protocol_.several_evaluators(); }
  bool waits_for_all() const override { return protocol_.waits_for_all(); }
  std::string_view why_order_matters(NodeId node) const override {
    return protocol_.why_order_matters(node);
  }
  const Partition* partition() const override { return protocol_.partition(); }
  std::optional<Topology> topology() const override { return protocol_.topology(); }

 private:
  const Protocol& protocol_;
  std::function<void()> after_;
};

test::Run echo(std::uint32_t clients, std::int64_t rounds) {
  auto parameters = default_parameters(echo_algorithm().parameters);
  parameters.set("rounds", rounds);
  return test::Run(echo_algorithm(), parameters, clients, Seed{1});
}

/// Waits, a few seconds at most, until a snapshot is as asked for.
std::shared_ptr<const RunSnapshot> wait_for(Progress& progress,
                                            const std::function<bool(const RunSnapshot&)>& is) {
  for (const auto end = Clock::now() + 5s; Clock::now() < end;) {
    progress.snapshots.ask();
    progress.snapshots.wait_until(Clock::now() + 100ms);  // who is over answers no more
    auto snapshot = progress.snapshots.latest();
    if (snapshot != nullptr && is(*snapshot)) return snapshot;
  }
  FAIL("the run never came to that");
  return nullptr;
}

bool paused(const RunSnapshot& snapshot) { return snapshot.paused; }

}  // namespace

TEST_CASE("partitions: actors on any number of threads do what the serial kernel does") {
  for (std::uint64_t number = 0; number < 24; ++number) {
    auto run = echo(number % 3 ? 5 : 140, 15);
    run.spec.network = test::random_network(Seed{number}, {.max_loss = 0.3, .zero_latency = true});
    const auto at = [&](std::uint64_t i) {
      return Time{} + ms(static_cast<double>((number * 37 + i * 61) % 400));
    };
    run.spec.network.link_faults = {{Groups{{"server"}, {"client-1"}}, at(0), ms(150)},
                                    {Groups{{"client-2"}, {"*"}}, at(1), ms(300)},
                                    {Groups{{"server"}, {"client-3", "client-4"}}, at(2), ms(40)}};
    run.spec.limits.virtual_time = Time{} + ms(100'000);
    const auto serial = run_serial(run.spec);
    INFO("network " << number << ": " << serial.outcome.report);
    for (const std::size_t threads : {1, 2, 3}) {
      const auto actors = run_actors(run.spec, {.threads = threads});
      CHECK(test::differences(test::describe(actors.outcome), test::describe(serial.outcome)) ==
            "");
    }
  }
}

TEST_CASE("observing actors constantly does not change their results") {
  const auto problem = test::make_problem("garland", 140, 200, Seed{1}, 0.02);
  const auto one_client = test::make_problem("garland", 1, 300, Seed{1});
  const auto check =
      [](const AlgorithmSpec& algorithm, std::uint32_t clients, const Problem& objective) {
        test::Run run(
            algorithm, default_parameters(algorithm.parameters), clients, Seed{1}, &objective);
        run.spec.network.links = {{.latency = UniformDuration{ms(10), ms(30)}}};
        run.spec.compute.evaluation = ExponentialDuration{ms(1), Duration{}};
        const auto alone = test::describe(run_serial(run.spec).outcome);
        for (const std::size_t threads : {1, 2})
          for (const bool pausable : {false, true}) {
            Progress progress;
            std::atomic<bool> over{false};
            std::thread observer([&] {
              while (!over) {
                progress.snapshots.ask();
                std::this_thread::yield();
              }
            });
            const auto result =
                run_actors(run.spec, {.threads = threads, .pausable = pausable}, &progress);
            over = true;
            observer.join();
            CHECK(test::differences(test::describe(result.outcome), alone) == "");
            CHECK(progress.snapshots.latest()->over);
          }
      };
  check(fed_pne_algorithm(), 140, problem);
  check(poo_algorithm(), 1, one_client);
}

TEST_CASE("cuts made at any moment of a run on actors are repeated by what it recorded") {
  std::size_t dropped = 0;
  for (std::uint64_t number = 0; number < 24; ++number) {
    auto run = echo(number % 3 ? 6 : 140, 15);
    run.spec.network = test::random_network(Seed{number}, {.max_loss = 0.3, .zero_latency = true});
    run.spec.limits.virtual_time = Time{} + ms(100'000);
    const Groups groups{{"server"}, {number % 2 ? "client-1" : "client"}};
    Progress progress;
    std::atomic<std::uint64_t> reactions{0};
    const Accompanied protocol(*run.protocol, [&] {
      const auto now = ++reactions;
      if (now == 5 + 3 * number) progress.interventions.ask({Action::cut, groups, {}});
      if (now == 9 + 4 * number) progress.interventions.ask({Action::restore, groups, {}});
      if (now == 9 + 4 * number) progress.interventions.ask({Action::cut, groups, {}});
    });
    auto spec = run.spec;
    spec.protocol = &protocol;
    const auto cut =
        run_actors(spec, {.threads = 1 + number % 3, .pausable = number % 2 == 0}, &progress);
    INFO("network " << number << ": " << cut.outcome.report);
    dropped += cut.outcome.total(&TypeAccount::dropped_partition) > 0;
    run.spec.network.link_faults = test::as_scheduled(cut.interventions);
    CHECK(test::differences(test::describe(run_serial(run.spec).outcome),
                            test::describe(cut.outcome)) == "");
    for (const std::size_t threads : {1, 3})
      CHECK(run_actors(run.spec, {.threads = threads}).outcome.fingerprint ==
            cut.outcome.fingerprint);
  }
  CHECK(dropped > 12);
}

TEST_CASE("a run on actors stands still while it is paused, steps, and goes on to the same end") {
  auto run = echo(5, 200);
  run.spec.network.links = {{.latency = UniformDuration{ms(10), ms(30)}}};
  const auto alone = run_serial(run.spec).outcome;
  // With windows, and, where latency is 0, in serial order.
  for (const bool windows : {true, false}) {
    auto spec = run.spec;
    if (!windows) spec.network.links = {{.latency = UniformDuration{Duration{}, ms(20)}}};
    const auto fingerprint = windows ? alone.fingerprint : run_serial(spec).outcome.fingerprint;
    Progress progress;
    progress.interventions.ask({Action::pause, {}, {}});
    SimulationResult result;
    std::thread program(
        [&] { result = run_actors(spec, {.threads = 2, .pausable = true}, &progress); });
    auto first = wait_for(progress, paused);
    CHECK(first->outcome.events == 0);
    const auto again = wait_for(progress, [&](const RunSnapshot& s) { return &s != first.get(); });
    CHECK(again->outcome.events == 0);
    CHECK(again->now == first->now);
    for (std::uint64_t round = 1; round <= 3; ++round) {
      progress.interventions.ask({Action::step, {}, {}});
      const auto next = wait_for(progress, [&](const RunSnapshot& s) {
        return s.paused && s.outcome.complete_rounds >= round;
      });
      CHECK(next->outcome.complete_rounds == round);
      CHECK(next->interventions.back().action == Action::step);
    }
    progress.interventions.ask({Action::resume, {}, {}});
    program.join();
    CHECK(result.outcome.fingerprint == fingerprint);
    CHECK(result.interventions.size() == 5);
  }
}

TEST_CASE("a paused run on actors can be cancelled, and doesn't use up its limit of wall time") {
  auto run = echo(5, 20);
  run.spec.network.links = {{.latency = ConstantDuration{ms(10)}}};
  Progress progress;
  progress.interventions.ask({Action::pause, {}, {}});
  SimulationResult result;
  std::thread program([&] { result = run_actors(run.spec, {.pausable = true}, &progress); });
  wait_for(progress, paused);
  progress.cancel = true;
  program.join();
  CHECK(result.outcome.status == RunStatus::stopped);
  CHECK_THAT(result.outcome.report, Catch::Contains("stopped by the user"));

  Progress held;
  held.interventions.ask({Action::pause, {}, {}});
  run.spec.limits.wall_seconds = 1;
  std::thread again([&] { result = run_actors(run.spec, {.pausable = true}, &held); });
  wait_for(held, paused);
  std::this_thread::sleep_for(1500ms);
  held.interventions.ask({Action::resume, {}, {}});
  again.join();
  CHECK(result.outcome.status == RunStatus::finished);

  // Once it goes on the limit holds: here virtual time would take 200 s.
  Progress slow;
  slow.interventions.ask({Action::pause, {}, {}});
  run.spec.limits.wall_seconds = 0.05;
  std::thread limited(
      [&] { result = run_actors(run.spec, {.pace = 0.001, .pausable = true}, &slow); });
  wait_for(slow, paused);
  slow.interventions.ask({Action::resume, {}, {}});
  limited.join();
  CHECK(result.outcome.status == RunStatus::limit_reached);
  CHECK_THAT(result.outcome.report, Catch::Contains("0.05 s of wall time"));
}

TEST_CASE("the time of a pause doesn't count in paced time") {
  auto run = echo(3, 10);  // 200 ms of virtual time
  run.spec.network.links = {{.latency = ConstantDuration{ms(10)}}};
  const auto alone = run_serial(run.spec).outcome;
  Progress progress;
  SimulationResult result;
  std::thread program([&] { result = run_actors(run.spec, {.pace = 1}, &progress); });
  wait_for(progress, [](const RunSnapshot& s) { return s.outcome.complete_rounds >= 2; });
  progress.interventions.ask({Action::pause, {}, {}});
  const auto stopped = wait_for(progress, paused);
  std::this_thread::sleep_for(300ms);
  progress.interventions.ask({Action::resume, {}, {}});
  const auto resumed = Clock::now();
  program.join();
  const std::chrono::duration<double> after_pause = Clock::now() - resumed;
  CHECK(result.outcome.fingerprint == alone.fingerprint);
  // What is left takes its time, though the pause was longer than the run.
  const double left = (alone.last_event - stopped->now).to_seconds();
  CHECK(after_pause.count() > 0.7 * left - 0.02);
}

TEST_CASE("a paced run takes the wall time that its pace states") {
  auto run = echo(1, 1);
  run.spec.network.links = {{.latency = ConstantDuration{ms(50)}}};
  const auto start = Clock::now();
  const auto out = run_actors(run.spec, {.pace = 1}).outcome;
  const std::chrono::duration<double> took = Clock::now() - start;
  CHECK(out.status == RunStatus::finished);
  CHECK(took.count() >= 0.1);  // 50 ms there and back
}

TEST_CASE("the pace of a run can be changed while it goes on, which changes nothing else") {
  auto run = echo(3, 400);  // 8 s of virtual time
  run.spec.network.links = {{.latency = ConstantDuration{ms(10)}}};
  const auto alone = run_serial(run.spec).outcome;
  const auto pace_is = [](double pace) {
    return [pace](const RunSnapshot& s) { return s.pace == pace; };
  };
  Progress progress;
  SimulationResult result;
  const auto start = Clock::now();
  std::thread program([&] {
    result = run_actors(run.spec, {.threads = 2, .pace = 1e-6, .pausable = true}, &progress);
  });
  wait_for(progress, pace_is(1e-6));
  progress.interventions.ask({.action = Action::pace, .groups = {}, .at = {}, .amount = 10.0});
  const auto slow = wait_for(progress, [&](const RunSnapshot& s) {
    return s.pace == 10 && s.outcome.complete_rounds >= 5;
  });
  CHECK(slow->outcome.complete_rounds < 400);
  progress.interventions.ask({.action = Action::pace, .groups = {}, .at = {}, .amount = 0.0});
  program.join();
  CHECK(Clock::now() - start < 60s);  // at the first pace it would be 90 days
  CHECK(result.outcome.fingerprint == alone.fingerprint);
  CHECK(result.interventions.size() == 2);
}

}  // namespace posse::test_interventions
