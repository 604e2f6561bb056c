// SPDX-License-Identifier: Apache-2.0
// The time that nodes take to handle messages, on rounds whose course is known in closed form.
#include <catch2/catch.hpp>
#include <utility>
#include <vector>

#include "actors/echo/protocol.hpp"
#include "actors/fed_pne/protocol.hpp"
#include "core/sim/critical_path.hpp"
#include "core/sim/recording.hpp"
#include "tests/support/problems.hpp"

namespace posse::test_service_times {
namespace {

Duration ms(double x) { return Duration::seconds(x * 1e-3); }
Time at_ms(double x) { return Time{} + ms(x); }
DurationDistribution constant(double x) { return ConstantDuration{ms(x)}; }

test::Run echo(std::vector<ServiceRule> rules, std::uint32_t clients = 2) {
  auto parameters = default_parameters(echo_algorithm().parameters);
  parameters.set("rounds", std::int64_t{2});
  test::Run run(echo_algorithm(), parameters, clients, Seed{1}, nullptr, Policy{});
  run.spec.network.links = {{.latency = constant(20)}};
  run.spec.compute.service = std::move(rules);
  return run;
}

/// The outcome of a run, equal on every kernel.
RunOutcome outcome_of(const test::Run& run) {
  const auto result = run_serial(run.spec);
  CHECK(run_windows(run.spec, 2).outcome.fingerprint == result.outcome.fingerprint);
  REQUIRE(result.outcome.status == RunStatus::finished);
  return result.outcome;
}

}  // namespace

TEST_CASE("messages are encoded one after the other, and a busy server takes the next one later") {
  const auto out = outcome_of(
      echo({{.nodes = "server", .type = "EchoRequest", .encode = constant(2)},
            {.nodes = "client",
             .type = "EchoRequest",
             .dispatch = constant(3),
             .decode = constant(1),
             .compute = constant(5)},
            {.nodes = "client", .type = "EchoReply", .encode = constant(4)},
            {.nodes = "server", .type = "EchoReply", .decode = constant(7)},
            {.nodes = "server", .type = "EchoReply", .sends = false, .compute = constant(1)},
            {.nodes = "server", .type = "EchoReply", .sends = true, .compute = constant(10)}}));
  REQUIRE(out.rounds.size() == 2);
  // The requests leave after 2 and 4 ms; each client takes 3 + 1 + 5 + 4 ms; the replies come after
  // 55 and 57 ms. The first one keeps the server busy until 63, the second one until 80.
  CHECK(out.rounds[0].began == at_ms(0));
  CHECK(out.rounds[0].ended == at_ms(80));
  REQUIRE(out.rounds[0].path);
  CHECK(out.rounds[0].path->compute == ms(2 + 13 + 25));
  CHECK(out.rounds[0].path->propagation == ms(40));
  // In the last round nothing is sent after the last reply.
  CHECK(out.rounds[1].began == at_ms(80));
  CHECK(out.rounds[1].ended == at_ms(80 + 63 + 8));
}

TEST_CASE("a start and a timer take time, too, and later rules win") {
  const auto out = outcome_of(echo({{.type = "*", .dispatch = constant(1)},
                                    {.type = "start", .dispatch = constant(6)},
                                    {.nodes = "client", .type = "start", .compute = constant(100)},
                                    {.nodes = "client", .type = "EchoRequest", .dispatch = {}}},
                                   1));
  // The server starts for 6 ms; the client for 106, in which the request comes, for 1 ms more; the
  // reply takes 1 ms at the server.
  REQUIRE(out.rounds.size() == 2);
  CHECK(out.rounds[0].began == at_ms(6));
  CHECK(out.rounds[0].ended == at_ms(107 + 20 + 1));
  CHECK(out.rounds[1].ended == at_ms(128 + 20 + 1 + 20 + 1));
}

TEST_CASE("evaluations take what they declare, or what they really take if that is longer") {
  const auto run = [](double declared, double measured) {
    const auto problem = test::make_problem("garland", 1, 40, Seed{1});
    test::Run one(fed_pne_algorithm(),
                  default_parameters(fed_pne_algorithm().parameters),
                  1,
                  Seed{1},
                  &problem);
    one.spec.compute.evaluation = constant(declared);
    one.spec.compute.service = {{.nodes = "client",
                                 .type = "PhasePlan",
                                 .decode = constant(1),
                                 .compute = constant(2),
                                 .per_evaluation = ms(measured)}};
    const auto out = outcome_of(one);
    return std::pair{out.rounds.at(0).ended - out.rounds.at(0).began, out.rounds.at(0).steps};
  };
  const auto [declared, steps] = run(10, 3);
  CHECK(declared == ms(1) + ms(10) * steps);
  CHECK(run(3, 10).first == ms(1 + 2) + ms(10) * steps);
}

TEST_CASE("a straggler handles messages more slowly") {
  auto run = echo({{.nodes = "client", .type = "EchoRequest", .decode = constant(3)}});
  run.spec.network.nodes = {{.nodes = "client-1", .straggler = 10.0}};
  CHECK(outcome_of(run).rounds.at(0).ended == at_ms(40 + 30));
}

TEST_CASE("drawn times belong to nodes: another node's messages don't change them") {
  const auto first_round = [](std::uint32_t clients, std::vector<ServiceRule> more) {
    std::vector<ServiceRule> rules{{.nodes = "client",
                                    .type = "EchoRequest",
                                    .compute = ExponentialDuration{ms(5), Duration{}}}};
    rules.insert(rules.end(), more.begin(), more.end());
    return outcome_of(echo(std::move(rules), clients)).rounds.at(0).ended;
  };
  const Time one = first_round(1, {});
  CHECK(one > at_ms(40));
  CHECK(first_round(2, {{.nodes = "client-1", .compute = constant(0)}}) == one);
}

TEST_CASE("service times of types and nodes that do not exist have no effect") {
  const auto plain = outcome_of(echo({}));
  const auto out = outcome_of(echo(
      {{.nodes = "player", .decode = constant(5)}, {.type = "PhasePlan", .compute = constant(5)}}));
  CHECK(out.rounds.at(1).ended == plain.rounds.at(1).ended);
}

TEST_CASE("a run with service times can't be retimed, and in wall time they have no effect") {
  auto run = echo({{.decode = constant(5)}});
  CHECK(obstacle_to_retiming(run.spec).find("compute.service") != std::string::npos);
  run.spec.in_wall_time = true;
  CHECK(run_serial(run.spec).outcome.rounds.at(0).ended == at_ms(40));
}

}  // namespace posse::test_service_times
