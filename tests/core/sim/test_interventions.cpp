// SPDX-License-Identifier: Apache-2.0
// What is asked of a run from outside: pausing changes nothing; a cut is recorded so that the run
// can be repeated with it.
#include <array>
#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "actors/echo/protocol.hpp"
#include "actors/fed_pne/protocol.hpp"
#include "actors/parallel/protocol.hpp"
#include "tests/support/chatter.hpp"
#include "tests/support/describe.hpp"
#include "tests/support/problems.hpp"
#include "tests/support/random_network.hpp"
#include "tests/support/watched.hpp"

namespace posse::test_interventions {
namespace {

using Action = Intervention::Action;
using Unit = Intervention::Unit;
using Groups = std::vector<std::vector<FaultyNodes>>;

Duration ms(double x) { return Duration::seconds(x * 1e-3); }

test::Run echo(std::uint32_t clients, std::int64_t rounds, Policy policy = {}) {
  auto parameters = default_parameters(echo_algorithm().parameters);
  parameters.set("rounds", rounds);
  return test::Run(echo_algorithm(), parameters, clients, Seed{1}, nullptr, policy);
}

/// The outcome of a run that was cut from outside must be that of one with the same partitions
/// from the start, on every kernel.
void check_repeats(SimulationSpec spec, const SimulationResult& cut) {
  spec.network.link_faults = test::as_scheduled(cut.interventions);
  spec.network.node_faults = test::node_faults_of(cut.interventions);
  const auto serial = run_serial(spec);
  CHECK(test::differences(test::describe(serial.outcome), test::describe(cut.outcome)) == "");
  CHECK(serial.outcome.fingerprint == cut.outcome.fingerprint);
  for (const std::size_t threads : {1, 2, 3}) {
    const auto windows = run_windows(spec, threads).outcome;
    CHECK(windows.fingerprint == cut.outcome.fingerprint);
    CHECK(windows.report == cut.outcome.report);
  }
}

struct Planned {
  std::uint64_t look;  // at which of the run's looks it is asked
  Action action;
  Groups groups;
};

/// Random cuts, or stops of nodes, and their undoing, in the order of asking.
std::vector<Planned> random_plan(std::uint64_t number,
                                 const Nodes& nodes,
                                 std::uint64_t looks,
                                 bool stops = false) {
  DrawEngine draws(stream_key(Seed{number}, "plan", std::uint64_t{0}), 0);
  std::vector<Planned> plan;
  std::vector<Groups> made;
  for (int i = 0; i < 8; ++i) {
    Planned planned{draws() % looks, Action::cut, {}};
    if (i == 0) planned.look = 0;  // before the start
    const auto a = nodes.name({static_cast<std::uint32_t>(draws() % nodes.size())});
    const auto b = nodes.name({static_cast<std::uint32_t>(draws() % nodes.size())});
    planned.groups = draws() % 3 ? Groups{{nodes.name({0})}, {a, b}} : Groups{{a}, {"*"}};
    if (stops) {
      static constexpr std::array kStops{Action::halt, Action::crash, Action::forget};
      planned.action = kStops[draws() % (number % 2 ? 2 : 3)];
      planned.groups = {{planned.action == Action::forget ? std::string("client") : a}};
    }
    plan.push_back(planned);
    if (draws() % 3 == 0 && !(stops && number % 2)) continue;  // those of odd numbers can finish
    planned.look += draws() % (stops && number % 2 ? 3 : looks / 4 + 1);
    planned.action = stops ? Action::restart : Action::restore;
    plan.push_back(planned);
  }
  std::stable_sort(
      plan.begin(), plan.end(), [](const Planned& x, const Planned& y) { return x.look < y.look; });
  return plan;
}

SimulationResult run_with(const SimulationSpec& spec,
                          std::size_t threads,
                          const std::vector<Planned>& plan) {
  Progress progress;
  std::size_t next = 0;
  std::uint64_t look = 0;
  const auto ask = [&] {
    for (; next < plan.size() && plan[next].look <= look; ++next)
      progress.interventions.ask({plan[next].action, plan[next].groups, {}});
    ++look;
  };
  ask();  // before the start
  test::RunObserver observer;
  observer.reacted = [&](NodeId, const Reaction&) { ask(); };
  return test::run_watched(spec, threads, observer, progress);
}

std::uint64_t reactions_of(const SimulationSpec& spec) {
  std::uint64_t reactions = 0;
  Progress progress;
  test::RunObserver observer;
  observer.reacted = [&](NodeId, const Reaction&) { ++reactions; };
  test::run_watched(spec, 0, observer, progress);
  return reactions;
}

}  // namespace

TEST_CASE("a cut asked for before the start holds from time 0") {
  auto run = echo(3, 4);
  run.spec.network.links = {{.latency = ConstantDuration{ms(50)}}};
  for (const std::size_t threads : {0, 1, 2}) {
    Progress progress;
    progress.interventions.ask({Action::cut, Groups{{"server"}, {"client-1"}}, Time{77}});
    const auto result =
        threads == 0 ? run_serial(run.spec, &progress) : run_windows(run.spec, threads, &progress);
    REQUIRE(result.interventions.size() == 1);
    CHECK(result.interventions[0].at == Time{});
    CHECK(result.interventions[0].action == Action::cut);
    CHECK(result.interventions[0].groups == Groups{{"server"}, {"client-1"}});
    CHECK(result.outcome.total(&TypeAccount::dropped_partition) == 1);
    CHECK(result.outcome.faults.partition == FaultCounts::Count{1, 0});
    CHECK(progress.snapshots.latest()->interventions.size() == 1);
    check_repeats(run.spec, result);
  }
}

TEST_CASE("a cut asked for when a round ends holds right after it") {
  auto run = echo(3, 6);
  run.spec.network.links = {{.latency = ConstantDuration{ms(50)}}};
  for (const std::size_t threads : {0, 1, 2}) {
    Progress progress;
    test::RunObserver observer;
    observer.reacted = [&](NodeId, const Reaction& reaction) {
      for (const auto& record : reaction.observations())
        if (const auto* ended = std::get_if<RoundEnded>(&record.observation))
          if (ended->round == Round{3})
            progress.interventions.ask({Action::cut, Groups{{"server"}, {"client"}}, {}});
    };
    const auto result = test::run_watched(run.spec, threads, observer, progress);
    REQUIRE(result.interventions.size() == 1);
    // The third round ends at 300 ms, and its reaction has sent the fourth one's requests by then.
    CHECK(result.interventions[0].at == Time{} + ms(300) + Duration{1});
    CHECK(result.outcome.complete_rounds == 3);
    CHECK(result.outcome.total(&TypeAccount::dropped_partition, "EchoRequest") == 0);
    CHECK(result.outcome.total(&TypeAccount::dropped_partition, "EchoReply") == 3);
    CHECK_THAT(result.outcome.report, Catch::Contains("(partition)"));
    check_repeats(run.spec, result);
  }
}

TEST_CASE("a run with cuts and restores at any moments is repeated by its recorded interventions") {
  std::size_t dropped = 0, restored = 0, late = 0;
  for (std::uint64_t number = 0; number < 48; ++number) {
    auto run = echo(number % 4 ? 6 : 150, 12);
    run.spec.network = test::random_network(Seed{number});
    if (number % 3 == 0)
      run.spec.network.nodes.push_back(
          {.nodes = "*", .rate_up = Rate{2e5, 4000}, .rate_down = Rate{2e5, 4000}});
    run.spec.limits.virtual_time = Time{} + ms(120'000);
    const Nodes nodes(run.protocol->groups());
    const auto plan =
        random_plan(number, nodes, std::max<std::uint64_t>(8, reactions_of(run.spec)));
    const std::size_t threads = number % 3;
    const auto cut = run_with(run.spec, threads, plan);
    INFO("network " << number << ", threads " << threads << ": " << cut.outcome.report);
    REQUIRE(cut.outcome.status != RunStatus::ledger_violated);
    Time before;
    for (const auto& done : cut.interventions) {
      CHECK(done.at >= before);
      before = done.at;
      restored += done.action == Action::restore;
      late += done.at > Time{};
    }
    dropped += cut.outcome.total(&TypeAccount::dropped_partition) > 0;
    check_repeats(run.spec, cut);
  }
  CHECK(dropped > 30);
  CHECK(restored > 20);
  CHECK(late > 40);
}

TEST_CASE("a run whose nodes are stopped and restarted at any moments is repeated, too") {
  std::size_t dropped = 0, restarted = 0, late = 0, finished = 0;
  for (std::uint64_t number = 0; number < 64; ++number) {
    auto run = echo(number % 4 ? 6 : 60, 12);
    run.spec.network = test::random_network(Seed{number});
    if (number % 2) run.spec.network.transport = Transport::reliable;
    run.spec.limits.virtual_time = Time{} + ms(120'000);
    run.spec.stoppable_nodes = true;
    const Nodes nodes(run.protocol->groups());
    const auto plan =
        random_plan(number, nodes, std::max<std::uint64_t>(8, reactions_of(run.spec)), true);
    const std::size_t threads = number % 3;
    const auto stopped = run_with(run.spec, threads, plan);
    INFO("network " << number << ", threads " << threads << ": " << stopped.outcome.report);
    REQUIRE(stopped.outcome.status != RunStatus::ledger_violated);
    REQUIRE(stopped.outcome.status != RunStatus::failed);
    for (const auto& done : stopped.interventions) {
      restarted += done.action == Action::restart;
      late += done.at > Time{};
    }
    dropped += stopped.outcome.total(&TypeAccount::dropped_crash) > 0;
    finished += stopped.outcome.status == RunStatus::finished;
    run.spec.stoppable_nodes = false;
    check_repeats(run.spec, stopped);
  }
  CHECK(dropped > 30);
  CHECK(restarted > 60);
  CHECK(late > 100);
  CHECK(finished > 10);
}

TEST_CASE(
    "runs of random messages, also with zero latency, are reproduced from their recorded cuts") {
  std::size_t dropped = 0;
  for (std::uint64_t number = 0; number < 40; ++number) {
    const auto topology = number % 2 ? Topology::star : Topology::full_mesh;
    const auto algorithm = test::chatter_spec(topology);
    const test::Chatter protocol(
        static_cast<std::uint32_t>(3 + number * number % 150), topology, Seed{number});
    SimulationSpec spec;
    spec.algorithm = &algorithm;
    spec.protocol = &protocol;
    spec.seed = Seed{number};
    spec.network = test::random_network(Seed{number}, {.zero_latency = true});
    spec.compute.evaluation = ExponentialDuration{ms(1), Duration{}};
    const Nodes nodes(protocol.groups());
    const auto plan = random_plan(number, nodes, std::max<std::uint64_t>(8, reactions_of(spec)));
    // Windows need latency.
    const bool zero = smallest(*spec.network.links.front().latency) < Duration{1000};
    const auto cut = run_with(spec, zero ? 0 : number % 3, plan);
    INFO("network " << number);
    dropped += cut.outcome.total(&TypeAccount::dropped_partition) > 0;
    spec.network.link_faults = test::as_scheduled(cut.interventions);
    CHECK(run_serial(spec).outcome.fingerprint == cut.outcome.fingerprint);
    if (zero) continue;
    for (const std::size_t threads : {1, 2, 3})
      CHECK(run_windows(spec, threads).outcome.fingerprint == cut.outcome.fingerprint);
  }
  CHECK(dropped > 25);
}

TEST_CASE("searches that are cut off and connected again decide as if nothing had happened") {
  const auto problem = test::make_problem("garland", 4, 300, Seed{1}, 0.02);
  for (const auto* algorithm : {&fed_pne_algorithm(), &parallel_algorithm()}) {
    test::Run run(*algorithm, default_parameters(algorithm->parameters), 4, Seed{1}, &problem);
    run.spec.network.links = {{.latency = ConstantDuration{ms(50)}}};
    run.spec.network.transport = Transport::reliable;
    const auto alone = run_serial(run.spec).outcome;
    const Nodes nodes(run.protocol->groups());
    const Groups groups{{nodes.name({0})}, {nodes.name({2})}};
    Progress progress;
    std::uint64_t reactions = 0;
    bool restored = false;
    test::RunObserver observer;
    observer.reacted = [&](NodeId, const Reaction&) {
      if (++reactions == 8) progress.interventions.ask({Action::cut, groups, {}});
    };
    observer.before = [&](Time next, bool) {
      if (next > Time{} + ms(3000) && !restored) {
        progress.interventions.ask({Action::restore, groups, {}});
        restored = true;
      }
      return true;
    };
    const auto cut = test::run_watched(run.spec, 1, observer, progress);
    REQUIRE(cut.outcome.status == RunStatus::finished);
    CHECK(cut.outcome.total(&TypeAccount::dropped_partition) > 0);
    CHECK(cut.outcome.regret.cumulative == alone.regret.cumulative);
    CHECK(cut.outcome.regret.recommendation == alone.regret.recommendation);
    check_repeats(run.spec, cut);
  }
}

TEST_CASE("a cut from outside doesn't end a scheduled partition, and undoing it neither") {
  auto run = echo(2, 3);
  run.spec.network.links = {{.latency = ConstantDuration{ms(50)}}};
  run.spec.network.transport = Transport::reliable;
  const Groups groups{{"server"}, {"client-0"}};
  run.spec.network.link_faults = {{groups, Time{}, ms(5000)}};
  Progress progress;
  progress.interventions.ask({Action::cut, groups, {}});
  progress.interventions.ask({Action::restore, groups, {}});
  const auto result = run_serial(run.spec, &progress);
  CHECK(result.outcome.status == RunStatus::finished);
  CHECK(result.outcome.rounds.front().ended >= Time{} + ms(5000));
}

TEST_CASE(
    "a paused run handles no events, answers requests for snapshots, and continues on resume") {
  auto run = echo(5, 20);
  run.spec.network.links = {{.latency = UniformDuration{ms(10), ms(30)}}};
  const auto alone = run_serial(run.spec);
  for (const std::size_t threads : {0, 1, 2}) {
    Progress progress;
    std::size_t calls = 0, while_paused = 0, pauses = 0;
    bool was_paused = false;
    std::shared_ptr<const RunSnapshot> first;
    test::RunObserver observer;
    observer.before = [&](Time next, bool paused) {
      ++calls;
      pauses += paused && !was_paused;
      if (paused && !was_paused) {
        while_paused = 0;
        first = nullptr;
      }
      was_paused = paused;
      if (!paused) {
        if (calls % 13 == 5) progress.interventions.ask({Action::pause, {}, {}});
        return true;
      }
      const auto snapshot = progress.snapshots.latest();
      REQUIRE(snapshot != nullptr);
      if (while_paused == 0) progress.snapshots.ask();
      if (while_paused > 0) {
        CHECK(snapshot->paused);
        CHECK(snapshot->now <= next);
        CHECK(progress.virtual_ns.load() == next.ns);
        if (first != nullptr) {
          CHECK(snapshot != first);  // answered again
          CHECK(snapshot->outcome.events == first->outcome.events);
          CHECK(snapshot->now == first->now);
          CHECK(snapshot->queued_events == first->queued_events);
        }
        first = snapshot;
        progress.snapshots.ask();
      }
      if (++while_paused == 6) progress.interventions.ask({Action::resume, {}, {}});
      return false;
    };
    const auto result = test::run_watched(run.spec, threads, observer, progress);
    CHECK(pauses > 3);
    CHECK(test::differences(test::describe(result.outcome), test::describe(alone.outcome)) == "");
    CHECK(result.interventions.size() >= 2 * pauses - 1);
  }
}

TEST_CASE("a step ends one more round, then the run is paused again") {
  auto run = echo(4, 12);
  run.spec.network.links = {{.latency = UniformDuration{ms(10), ms(30)}}};
  const auto alone = run_serial(run.spec);
  for (const std::size_t threads : {0, 1, 2}) {
    Progress progress;
    progress.interventions.ask({Action::pause, {}, {}});
    std::vector<std::uint64_t> rounds_when_paused;
    bool was_paused = false;
    test::RunObserver observer;
    observer.before = [&](Time, bool paused) {
      if (paused && !was_paused) {
        rounds_when_paused.push_back(progress.rounds.load());
        progress.interventions.ask({Action::step, {}, {}});
      }
      was_paused = paused;
      return !paused;
    };
    const auto result = test::run_watched(run.spec, threads, observer, progress);
    REQUIRE(rounds_when_paused.size() >= 12);
    for (std::size_t i = 0; i < rounds_when_paused.size(); ++i) CHECK(rounds_when_paused[i] == i);
    CHECK(test::differences(test::describe(result.outcome), test::describe(alone.outcome)) == "");
  }
}

TEST_CASE("a step of one event pauses before the next one, on every kernel at the same state") {
  auto run = echo(5, 4);
  run.spec.network.links = {{.latency = UniformDuration{ms(10), ms(30)}}};
  run.spec.network.transport = Transport::reliable;
  const auto alone = run_serial(run.spec);
  std::vector<std::vector<std::string>> seen;  // by kernel
  for (const std::size_t threads : {0, 1, 2}) {
    Progress progress;
    progress.interventions.ask({Action::pause, {}, {}});
    auto& states = seen.emplace_back();
    bool was_paused = false;
    test::RunObserver observer;
    observer.before = [&](Time, bool paused) {
      if (paused && !was_paused) {
        progress.snapshots.ask();
      } else if (paused && !progress.snapshots.wanted()) {
        const auto snapshot = progress.snapshots.latest();
        CHECK(snapshot->outcome.events == states.size());
        states.push_back(test::describe(snapshot->outcome));
        progress.interventions.ask(
            {.action = Action::step, .groups = {}, .at = {}, .unit = Unit::event});
      }
      was_paused = paused;
      return !paused;
    };
    const auto result = test::run_watched(run.spec, threads, observer, progress);
    CHECK(test::differences(test::describe(result.outcome), test::describe(alone.outcome)) == "");
    CHECK(states.size() == alone.outcome.events);
  }
  CHECK(seen[1] == seen[0]);
  CHECK(seen[2] == seen[0]);
}

TEST_CASE("a run goes on until a round, an event or a virtual time, and pauses there") {
  auto run = echo(4, 12);
  run.spec.network.links = {{.latency = UniformDuration{ms(10), ms(30)}}};
  const auto alone = run_serial(run.spec);
  struct Goal {
    Unit unit;
    double amount;
  };
  for (const auto& [unit, amount] :
       {Goal{Unit::round, 7}, Goal{Unit::event, 33}, Goal{Unit::second, 0.123456789}}) {
    for (const std::size_t threads : {0, 1, 2}) {
      CAPTURE(to_string(unit), threads);
      Progress progress;
      progress.interventions.ask(
          {.action = Action::until, .groups = {}, .at = {}, .unit = unit, .amount = amount});
      std::size_t pauses = 0;
      bool was_paused = false;
      test::RunObserver observer;
      observer.before = [&](Time next, bool paused) {
        if (paused && !was_paused) {
          ++pauses;
          progress.snapshots.ask();
        } else if (paused && !progress.snapshots.wanted()) {
          const auto snapshot = progress.snapshots.latest();
          if (unit == Unit::round) CHECK(progress.rounds.load() == 7);
          if (unit == Unit::event) CHECK(snapshot->outcome.events == 33);
          if (unit == Unit::second) {
            CHECK(snapshot->outcome.last_event <= Time{123'456'789});
            CHECK(next > Time{123'456'789});
          }
          progress.interventions.ask({Action::resume, {}, {}});
        }
        was_paused = paused;
        return !paused;
      };
      const auto result = test::run_watched(run.spec, threads, observer, progress);
      CHECK(pauses == 1);
      CHECK(test::differences(test::describe(result.outcome), test::describe(alone.outcome)) == "");
    }
  }
}

TEST_CASE("a goal that has been passed pauses the run at once") {
  auto run = echo(4, 12);
  run.spec.network.links = {{.latency = UniformDuration{ms(10), ms(30)}}};
  for (const auto unit : kInterventionUnits) {
    Progress progress;
    std::optional<Time> asked_at, paused_at;
    test::RunObserver observer;
    observer.before = [&](Time next, bool paused) {
      if (!asked_at && progress.rounds.load() == 5) {
        asked_at = next;
        progress.interventions.ask(
            {.action = Action::until, .groups = {}, .at = {}, .unit = unit, .amount = 0.0});
        return false;
      }
      if (paused && !paused_at) {
        paused_at = next;
        progress.interventions.ask({Action::resume, {}, {}});
      }
      return !paused;
    };
    const auto result = test::run_watched(run.spec, 1, observer, progress);
    CHECK(result.outcome.status == RunStatus::finished);
    CHECK(asked_at.has_value());
    CHECK(paused_at == asked_at);
  }
}

TEST_CASE("a run that is stopped between two events of a window keeps its books") {
  auto run = echo(5, 4);
  run.spec.network.links = {{.latency = UniformDuration{ms(10), ms(30)}}};
  run.spec.network.transport = Transport::reliable;
  for (const double event : {3.0, 10.0, 21.0, 32.0, 43.0}) {
    std::vector<std::string> ends;
    for (const std::size_t threads : {0, 1, 2}) {
      Progress progress;
      progress.interventions.ask(
          {.action = Action::until, .groups = {}, .at = {}, .unit = Unit::event, .amount = event});
      test::RunObserver observer;
      observer.before = [&](Time, bool paused) {
        progress.cancel = paused;
        return !paused;
      };
      const auto result = test::run_watched(run.spec, threads, observer, progress);
      CHECK(result.outcome.status == RunStatus::stopped);
      CHECK(result.outcome.events == static_cast<std::uint64_t>(event));
      ends.push_back(test::describe(result.outcome));
    }
    CHECK(test::differences(ends[1], ends[0]) == "");
    CHECK(test::differences(ends[2], ends[0]) == "");
  }
}

TEST_CASE("cutting links during a step does not make the step endless") {
  auto run = echo(4, 12);
  run.spec.network.links = {{.latency = ConstantDuration{ms(20)}}};
  Progress progress;
  progress.interventions.ask({Action::pause, {}, {}});
  std::vector<std::uint32_t> paused_at;
  bool was_paused = false, cut = false;
  test::RunObserver observer;
  observer.before = [&](Time, bool paused) {
    if (paused && !was_paused) {
      paused_at.push_back(progress.rounds.load());
      progress.interventions.ask({paused_at.size() < 3 ? Action::step : Action::resume, {}, {}});
    } else if (!paused && !cut) {
      cut = true;  // one client is cut off from another: nobody speaks there
      progress.interventions.ask({Action::cut, Groups{{"client-0"}, {"client-1"}}, {}});
    }
    was_paused = paused;
    return !paused;
  };
  const auto result = test::run_watched(run.spec, 1, observer, progress);
  CHECK(result.outcome.status == RunStatus::finished);
  CHECK(paused_at == std::vector<std::uint32_t>{0, 1, 2});
}

TEST_CASE(
    "a step where deciders end rounds apart goes on until one ends a round nobody had ended") {
  const auto problem = test::make_problem("garland", 4, 500, Seed{1}, 0.02);
  test::Run run(parallel_algorithm(),
                default_parameters(parallel_algorithm().parameters),
                4,
                Seed{1},
                &problem);
  run.spec.network.links = {{.latency = UniformDuration{ms(10), ms(90)}}};
  const auto alone = run_serial(run.spec).outcome;
  Progress progress;
  progress.interventions.ask({Action::pause, {}, {}});
  std::vector<std::uint32_t> paused_at;
  std::uint32_t latest = 0;
  bool was_paused = false;
  test::RunObserver observer;
  observer.reacted = [&](NodeId, const Reaction& reaction) {
    for (const auto& record : reaction.observations())
      if (const auto* ended = std::get_if<RoundEnded>(&record.observation))
        latest = std::max(latest, ended->round.value);
  };
  observer.before = [&](Time, bool paused) {
    if (paused && !was_paused) {
      paused_at.push_back(latest);
      progress.interventions.ask({Action::step, {}, {}});
    }
    was_paused = paused;
    return !paused;
  };
  const auto out = test::run_watched(run.spec, 2, observer, progress).outcome;
  CHECK(out.fingerprint == alone.fingerprint);
  REQUIRE(paused_at.size() >= 3);
  for (std::size_t i = 0; i < paused_at.size(); ++i) CHECK(paused_at[i] == i);
}

TEST_CASE("a paused run can be cancelled") {
  auto run = echo(4, 12);
  run.spec.network.links = {{.latency = ConstantDuration{ms(20)}}};
  for (const std::size_t threads : {0, 2}) {
    Progress progress;
    std::size_t held = 0;
    test::RunObserver observer;
    observer.before = [&](Time, bool paused) {
      if (progress.rounds.load() == 4 && !paused)
        progress.interventions.ask({Action::pause, {}, {}});
      if (paused && ++held == 5) progress.cancel = true;
      return !paused;
    };
    const auto result = test::run_watched(run.spec, threads, observer, progress);
    CHECK(held == 5);
    CHECK(result.outcome.status == RunStatus::stopped);
    CHECK_THAT(result.outcome.report, Catch::Contains("stopped by the user"));
    CHECK(result.outcome.complete_rounds == 4);
    CHECK(progress.snapshots.latest()->over);
  }
}

TEST_CASE("a kernel that can't be paused doesn't say that it is") {
  auto run = echo(3, 3000);
  run.spec.network.links = {{.latency = ConstantDuration{ms(20)}}};
  Progress progress;
  progress.interventions.ask({Action::pause, {}, {}});
  bool said_paused = false;
  std::shared_ptr<const RunSnapshot> seen;
  const Nodes nodes(run.protocol->groups());
  World world(run.spec, nodes);
  test::RunObserver observer;
  observer.reacted = [&](NodeId, const Reaction&) {
    if (auto latest = progress.snapshots.latest()) {
      said_paused = said_paused || latest->paused;
      seen = latest;
    }
    progress.snapshots.ask();
  };
  test::ObserverHost host(*run.protocol, nodes.size(), observer);
  const auto result = run_in_serial_order(run.spec, world, host, &progress, nullptr);
  CHECK(result.outcome.status == RunStatus::finished);
  REQUIRE(seen != nullptr);
  CHECK_FALSE(said_paused);
}

TEST_CASE("every action and unit is parsed back from its name") {
  for (const auto action : kInterventionActions) CHECK(parse_action(to_string(action)) == action);
  for (const auto unit : kInterventionUnits) CHECK(parse_unit(to_string(unit)) == unit);
  CHECK_FALSE(parse_action("stop"));
  CHECK_FALSE(parse_unit("rounds"));
  CHECK_FALSE(parse_action(""));
}

}  // namespace posse::test_interventions
