// SPDX-License-Identifier: Apache-2.0
// Pauses and crashes of nodes: what waits, what is lost, and what goes on later.
#include <catch2/catch.hpp>

#include "actors/blin/protocol.hpp"
#include "actors/echo/protocol.hpp"
#include "actors/f_lcb/protocol.hpp"
#include "actors/fed_pne/protocol.hpp"
#include "actors/fed_ucb/protocol.hpp"
#include "actors/instances/protocol.hpp"
#include "actors/learners/hct.hpp"
#include "actors/parallel/protocol.hpp"
#include "actors/pf_pne/protocol.hpp"
#include "actors/pf_pne_hct/protocol.hpp"
#include "core/sim/simulation.hpp"
#include "tests/support/curve_arms.hpp"
#include "tests/support/faults.hpp"
#include "tests/support/problems.hpp"
#include "tests/support/random_network.hpp"

namespace posse::test_node_faults {
namespace {

Duration ms(double x) { return Duration::seconds(x * 1e-3); }
Time at_ms(double x) { return Time{} + ms(x); }

NodeFault fault(NodeFaultKind kind, const std::string& node, double at, double lasting) {
  return {{node}, {.at = at_ms(at), .lasting = ms(lasting)}, kind};
}
NodeFault pause(const std::string& node, double at, double lasting) {
  return fault(NodeFaultKind::pause, node, at, lasting);
}
NodeFault crash(const std::string& node, double at, double lasting) {
  return fault(NodeFaultKind::crash, node, at, lasting);
}

/// Echo with one client, one round a time, latency 10 ms: a request arrives at 10 ms, the client
/// works for 5 ms, its reply arrives at 25 ms.
RunOutcome echo(std::uint32_t rounds,
                std::vector<NodeFault> faults,
                bool reliable = false,
                Policy policy = {},
                RunStatus status = RunStatus::finished,
                std::uint32_t clients = 1) {
  auto parameters = default_parameters(echo_algorithm().parameters);
  parameters.set("rounds", std::int64_t{rounds});
  parameters.set("work", ms(5));
  test::Run run(echo_algorithm(), parameters, clients, Seed{1}, nullptr, policy);
  run.spec.network.links = {{.latency = ConstantDuration{ms(10)}}};
  run.spec.network.node_faults = std::move(faults);
  if (reliable) run.spec.network.transport = Transport::reliable;
  run.spec.network.retransmission.timeout = ms(100);
  const auto out = run_serial(run.spec).outcome;
  CHECK(out.status == status);
  for (const std::size_t threads : {1, 2})
    CHECK(run_windows(run.spec, threads).outcome.fingerprint == out.fingerprint);
  return out;
}

}  // namespace

TEST_CASE("a paused node handles what has reached it when it goes on") {
  CHECK(echo(1, {}).finished_at == at_ms(25));
  const auto out = echo(1, {pause("client-0", 8, 30)});
  CHECK(out.finished_at == at_ms(38 + 5 + 10));
  CHECK(out.total(&TypeAccount::delivered) == 2);
}

TEST_CASE("work that a pause or a crash interrupts takes longer by the interruption") {
  CHECK(echo(1, {pause("client-0", 12, 30)}).finished_at == at_ms(25 + 30));
  CHECK(echo(1, {crash("client-0", 12, 30)}).finished_at == at_ms(25 + 30));
  // Twice: 2 ms of work before the first, 1 ms between them.
  CHECK(echo(1, {crash("client-0", 12, 30), pause("client-0", 43, 4)}).finished_at ==
        at_ms(25 + 34));
  // Overlapping faults are one interruption.
  CHECK(echo(1, {crash("client-0", 12, 30), pause("client-0", 20, 40)}).finished_at ==
        at_ms(25 + 48));
}

TEST_CASE("a message that reaches a crashed node is dropped, and repeated if the transport can") {
  const auto lost = echo(1, {crash("client-0", 8, 30)}, false, {}, RunStatus::stalled);
  CHECK(lost.total(&TypeAccount::dropped_crash) == 1);
  CHECK_THAT(lost.report, Catch::Matchers::Contains("(crash)"));
  CHECK_FALSE(lost.lossless);
  const auto out = echo(1, {crash("client-0", 8, 30)}, true);
  CHECK(out.total(&TypeAccount::dropped_crash) == 1);
  CHECK(out.total(&TypeAccount::repeated) == 1);
  CHECK(out.finished_at == at_ms(100 + 25));
}

TEST_CASE("a node that is down at the start begins when it is up") {
  CHECK(echo(1, {crash("server", 0, 40)}).finished_at == at_ms(65));
  CHECK(echo(1, {crash("client-0", 0, 5)}).finished_at == at_ms(25));
}

TEST_CASE("a server that crashes sets the deadline of its round again") {
  // client-1 is down: the round closes at its deadline, which the crash moves from 60 to 110 ms.
  const Policy policy{.kind = PolicyKind::deadline, .deadline = ms(60)};
  CHECK(echo(1, {crash("client-1", 0, 1000)}, false, policy, RunStatus::finished, 2).finished_at ==
        at_ms(60));
  CHECK(echo(1,
             {crash("client-1", 0, 1000), crash("server", 30, 20)},
             false,
             policy,
             RunStatus::finished,
             2)
            .finished_at == at_ms(110));
}

TEST_CASE("retransmissions of a crashed sender wait until it restarts") {
  // The request is lost with the client's crash; the check at 100 ms waits until 150 ms.
  const auto out = echo(1, {crash("client-0", 8, 30), crash("server", 90, 60)}, true);
  CHECK(out.finished_at == at_ms(150 + 25));
}

TEST_CASE("a run does not wait for a client of the last round that is down for good") {
  Policy quorum{.kind = PolicyKind::quorum, .quorum = 1};
  const NodeFault gone{{"client-1"}, {.at = at_ms(30)}, NodeFaultKind::crash};
  const auto out = echo(3, {gone}, true, quorum, RunStatus::finished, 2);
  CHECK(out.finished_at == at_ms(75));
}

TEST_CASE("the report of a stalled run names the nodes that stand still") {
  const NodeFault gone{{"client-1"}, {.at = at_ms(30)}, NodeFaultKind::crash};
  const auto out = echo(3, {gone}, true, {}, RunStatus::stalled, 2);
  CHECK_THAT(out.report, Catch::Matchers::Contains("client-1 has been down since 0.03 s"));
}

TEST_CASE("copies that wait at a paused node when the run ends are in flight") {
  Policy quorum{.kind = PolicyKind::quorum, .quorum = 1};
  const NodeFault stuck{{"client-1"}, {.at = at_ms(5)}, NodeFaultKind::pause};
  const auto out = echo(2, {stuck}, false, quorum, RunStatus::finished, 2);
  CHECK(out.finished_at == at_ms(50));
  CHECK(out.total(&TypeAccount::in_flight) == 2);  // both requests
}

TEST_CASE("repeated faults of nodes end, and each is in the record") {
  auto parameters = default_parameters(echo_algorithm().parameters);
  parameters.set("rounds", std::int64_t{40});
  test::Run run(echo_algorithm(), parameters, 3, Seed{1});
  run.spec.network.links = {{.latency = ConstantDuration{ms(10)}}};
  run.spec.network.node_faults = {
      {{"client-0", "client-2"},
       {.at = at_ms(100), .lasting = ms(7), .every = ms(200), .until = at_ms(700)},
       NodeFaultKind::pause}};
  const auto result = run_serial(run.spec);
  CHECK(result.outcome.status == RunStatus::finished);
  REQUIRE(result.faults.size() == 2 * 2 * 3);
  CHECK(result.outcome.faults.pause == FaultCounts::Count{6, 6});
  CHECK(result.outcome.faults.crash == FaultCounts::Count{});
  for (std::size_t i = 0; i < result.faults.size(); ++i) {
    const auto& record = result.faults[i];
    CHECK(record.at == at_ms(100 + 200.0 * static_cast<double>(i / 4) + (i % 4 < 2 ? 0 : 7)));
    CHECK(record.begins == (i % 4 < 2));
    CHECK(record.node == NodeId{i % 2 ? 3u : 1u});
  }
}

TEST_CASE("a node that a fault selects twice has it once") {
  auto parameters = default_parameters(echo_algorithm().parameters);
  test::Run run(echo_algorithm(), parameters, 3, Seed{1});
  run.spec.network.links = {{.latency = ConstantDuration{ms(10)}}};
  run.spec.network.node_faults = {{{"client-1", "client-0..1", {"client", 1.0}},
                                   {.at = at_ms(12), .lasting = ms(7)},
                                   NodeFaultKind::pause}};
  CHECK(run_serial(run.spec).faults.size() == 2 * 3);
}

TEST_CASE("pauses and crashes change no decision behind a reliable transport") {
  struct Case {
    const AlgorithmSpec* algorithm;
    std::uint32_t clients;
  };
  std::uint64_t crashes = 0;
  for (const auto& [algorithm, clients] : {Case{&fed_pne_algorithm(), 4},
                                           Case{&pf_pne_algorithm(), 3},
                                           Case{&parallel_algorithm(), 3},
                                           Case{&blin_algorithm(), 3},
                                           Case{&hct_central_algorithm(), 2},
                                           Case{&poo_algorithm(), 1}}) {
    for (std::uint64_t number = 0; number < 12; ++number) {
      INFO(algorithm->kind << ", number " << number);
      const auto problem =
          test::make_problem("garland", clients, 400, Seed{number}, clients > 1 ? 0.02 : 0.0);
      test::Run run(
          *algorithm, default_parameters(algorithm->parameters), clients, Seed{number}, &problem);
      run.spec.network.links = {{.latency = UniformDuration{ms(1), ms(9)}}};
      run.spec.compute.evaluation = ExponentialDuration{ms(0.1), Duration{}};
      const auto ideal = run_serial(run.spec).outcome;
      REQUIRE(ideal.status == RunStatus::finished);
      run.spec.network.transport = Transport::reliable;
      run.spec.network.retransmission.timeout = ms(25);
      run.spec.network.node_faults = test::random_node_faults(Seed{number});
      const auto faulty = run_serial(run.spec).outcome;
      INFO(faulty.report);
      REQUIRE(faulty.status == RunStatus::finished);
      test::check_same_decisions(ideal, faulty);
      crashes += faulty.total(&TypeAccount::dropped_crash);
      CHECK(run_windows(run.spec, 1 + number % 3).outcome.fingerprint == faulty.fingerprint);
    }
  }
  CHECK(crashes > 100);
}

TEST_CASE("an agent and its arms go on after crashes, with the same pulls") {
  for (std::uint64_t number = 0; number < 12; ++number) {
    const ArmSet arms = test::random_arms(number, 60);
    test::Run run(
        f_lcb_algorithm(), default_parameters(f_lcb_algorithm().parameters), Seed{number}, arms);
    run.spec.network.links = {{.latency = ConstantDuration{ms(1)}}};
    const auto ideal = run_serial(run.spec).outcome;
    run.spec.network.transport = Transport::reliable;
    run.spec.network.retransmission.timeout = ms(10);
    run.spec.network.node_faults = test::random_node_faults(Seed{number});
    const auto faulty = run_serial(run.spec).outcome;
    REQUIRE(faulty.status == RunStatus::finished);
    CHECK(faulty.regret.cumulative == ideal.regret.cumulative);
    CHECK(faulty.arms.answer == ideal.arms.answer);
    CHECK(run_windows(run.spec, 2).outcome.fingerprint == faulty.fingerprint);
  }
}

TEST_CASE("a client that loses its state loses its work, and answers the next request") {
  // The crash at 12 ms interrupts the work for the first request; a quorum of one of two closes the
  // rounds without it, and it takes part from the first round that begins after its restart.
  const auto forgets = [](double at, double lasting) {
    auto fault = crash("client-0", at, lasting);
    fault.loses_state = true;
    return fault;
  };
  const Policy one_of_two{.kind = PolicyKind::quorum, .quorum = 1};
  const auto kept = echo(3, {crash("client-0", 12, 10)}, false, one_of_two, RunStatus::finished, 2);
  const auto lost = echo(3, {forgets(12, 10)}, false, one_of_two, RunStatus::finished, 2);
  CHECK(kept.total(&TypeAccount::sent, "EchoReply") == 6);
  CHECK(lost.total(&TypeAccount::sent, "EchoReply") == 5);
  // A server that waits for all never gets the reply that was lost.
  const auto stalled = echo(1, {forgets(12, 10)}, true, {}, RunStatus::stalled, 1);
  CHECK_THAT(stalled.report, Catch::Contains("client-0 lost its state at 0.012 s"));
  // A node that has not begun has no state to lose, and neither has one that has finished.
  CHECK(echo(1, {forgets(0, 5)}).finished_at == at_ms(25));
  CHECK(echo(1, {forgets(24, 5)}).finished_at == at_ms(25));
}

TEST_CASE("what a client did before it lost its state counts once, and is never drawn again") {
  struct Case {
    const AlgorithmSpec* algorithm;
    std::string node;
    bool has_policy = true;
  };
  const auto problem = test::make_problem("garland", 3, 120, Seed{5}, 0.02);
  for (const auto& [algorithm, node, has_policy] :
       {Case{&fed_pne_algorithm(), "client-1"},
        Case{&pf_pne_algorithm(), "client-1"},
        Case{&pf_pne_hct_algorithm(), "client-1"},
        Case{&blin_algorithm(), "client-1"},
        Case{&fed1_ucb_algorithm(), "client-1"},
        Case{&hct_central_algorithm(), "environment-1"},
        Case{&hct_local_algorithm(), "client-1", false}}) {
    std::size_t interrupted = 0;
    for (int at = 1; at < 40; at += 3) {
      Policy policy;
      if (has_policy) policy = {.kind = PolicyKind::deadline, .quorum = 1, .deadline = ms(25)};
      test::Run run(
          *algorithm, default_parameters(algorithm->parameters), 3, Seed{9}, &problem, policy);
      run.spec.network.links = {{.latency = ConstantDuration{ms(3)}}};
      run.spec.network.transport = Transport::reliable;
      run.spec.network.retransmission.timeout = ms(15);
      run.spec.compute.evaluation = ConstantDuration{ms(0.1)};
      run.spec.network.node_faults = {crash(node, at, 7)};
      run.spec.network.node_faults[0].loses_state = true;
      const auto result = run_serial(run.spec);
      const RunOutcome& out = result.outcome;
      INFO(algorithm->kind << ", crash at " << at << " ms: " << out.report);
      CHECK(out.status == RunStatus::finished);
      CHECK(out.regret.max_evaluations <= 120);
      CHECK(run_windows(run.spec, 2).outcome.fingerprint == out.fingerprint);
      interrupted += !result.faults.empty();
    }
    CHECK(interrupted >= 4);
  }
}

TEST_CASE("an arm that loses its optimizer begins anew, and is asked again") {
  const ArmSet arms = test::random_arms(3, 40);
  std::size_t during = 0;
  for (int at = 1; at < 300; at += 7) {
    test::Run run(
        f_lcb_algorithm(), default_parameters(f_lcb_algorithm().parameters), Seed{3}, arms);
    run.spec.network.links = {{.latency = ConstantDuration{ms(2)}}};
    run.spec.compute.evaluation = ConstantDuration{ms(1)};
    run.spec.network.transport = Transport::reliable;
    run.spec.network.retransmission.timeout = ms(10);
    run.spec.network.node_faults = {crash("arm", at, 5)};
    run.spec.network.node_faults[0].loses_state = true;
    const auto out = run_serial(run.spec).outcome;
    INFO("crash at " << at << " ms: " << out.report);
    CHECK(out.status == RunStatus::finished);
    CHECK(out.arms.pulls == 40);
    const bool in_time = out.finished_at > at_ms(at + 5);
    CHECK(out.total(&TypeAccount::sent, "Restarted") == (in_time ? arms.size() : 0));
    during += in_time;
    CHECK(run_windows(run.spec, 2).outcome.fingerprint == out.fingerprint);
  }
  CHECK(during > 20);
}

TEST_CASE("observations of interrupted work come when the work is done") {
  const auto problem = test::make_problem("garland", 1, 120, Seed{5}, 0.0);
  test::Run run(hct_local_algorithm(),
                default_parameters(hct_local_algorithm().parameters),
                1,
                Seed{9},
                &problem);
  run.spec.compute.evaluation = ConstantDuration{ms(1)};
  const auto last = [&] { return run_serial(run.spec).regret_curve.back().virtual_s; };
  const double undisturbed = last();
  run.spec.network.node_faults = {pause("client-0", 20, 50)};
  CHECK(last() == Approx(undisturbed + 0.05));
}

}  // namespace posse::test_node_faults
