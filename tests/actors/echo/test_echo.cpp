// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "actors/echo/messages.hpp"
#include "actors/echo/protocol.hpp"
#include "tests/support/federations.hpp"
#include "tests/support/role_driver.hpp"

namespace posse::test_echo {
namespace {

using namespace test;

std::unique_ptr<Protocol> echo(std::uint32_t clients,
                               std::int64_t rounds,
                               Policy policy = {},
                               Duration work = {}) {
  return make_protocol(echo_algorithm(),
                       nullptr,
                       clients,
                       {{"rounds", rounds},
                        {"request_bytes", std::int64_t{100}},
                        {"reply_bytes", std::int64_t{4}},
                        {"work", work}},
                       policy);
}

TEST_CASE("echo sends 2 M rounds messages of exactly the stated sizes") {
  const auto protocol = echo(5, 7);
  RoleDriver driver(*protocol);
  driver.run();
  CHECK(driver.all_finished());
  CHECK(driver.sent().size() == 2 * 5 * 7);
  std::uint64_t bytes = 0;
  for (const auto& sent : driver.sent()) {
    std::vector<std::byte> encoded;
    sent.message.payload.type().encode(sent.message.payload, encoded);
    CHECK(encoded.size() == sent.message.payload.size_bytes());
    bytes += encoded.size();
  }
  CHECK(bytes == 5 * 7 * (100 + 4));
  const auto outcome = driver.outcome();
  CHECK(outcome.rounds.size() == 7);
  CHECK(broken_measurements(*protocol, outcome).empty());
  CHECK(figure_named(*protocol, outcome, "payload").measured == 5 * 7 * 104);
  CHECK(figure_named(*protocol, outcome, "payload").bound->value == 5 * 7 * 104);
  CHECK(protocol->forecast().messages == 70);
}

TEST_CASE("echo works before it answers, only if asked to") {
  for (const auto work : {Duration{}, Duration::seconds(2)}) {
    const auto protocol = echo(1, 1, {}, work);
    const auto client = protocol->make_role(NodeId{1});
    Reaction reaction(Time{}, NodeId{1});
    client->on_message({NodeId{0}, Round{1}, Payload::make(EchoRequest{})}, reaction);
    REQUIRE(reaction.effects().size() == (work > Duration{} ? 3 : 2));
    if (work > Duration{}) CHECK(std::get<WorkEffect>(reaction.effects()[0]).duration == work);
  }
}

TEST_CASE("copies in any order change nothing in an echo run") {
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    const auto protocol = echo(4, 9);
    RoleDriver driver(*protocol, {.shuffled = true, .duplicates = 0.5, .seed = seed});
    driver.run();
    REQUIRE(driver.all_finished());
    REQUIRE(driver.sent().size() == 2 * 4 * 9);
    REQUIRE(driver.outcome().rounds.size() == 9);
    REQUIRE(driver.all<StaleObserved>().empty());
  }
}

TEST_CASE("a client that lost its state answers a copy again, and the ceilings do not apply") {
  auto parameters = default_parameters(echo_algorithm().parameters);
  parameters.set("rounds", std::int64_t{2});
  Run echo(echo_algorithm(), parameters, 1, Seed{1});
  auto& network = echo.spec.network;
  network.links = {{.latency = UniformDuration{Duration::seconds(0.01), Duration::seconds(0.1)},
                    .duplication = 1.0}};
  const auto messages = [&] {
    return figure_named(*echo.protocol, run_serial(echo.spec).outcome, "messages");
  };
  CHECK(messages().measured == 4);
  CHECK(messages().bound->kind == BoundKind::exact);
  // From the first answer on, the client forgets that it has answered.
  network.node_faults = {{.nodes = {"client-0"},
                          .when = {.at = Time{} + Duration::seconds(0.012),
                                   .lasting = Duration::seconds(0.001),
                                   .every = Duration::seconds(0.004),
                                   .until = Time{} + Duration::seconds(0.1)},
                          .kind = NodeFaultKind::crash,
                          .loses_state = true}};
  std::uint64_t more = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    echo.spec.seed = Seed{seed};
    const auto seen = messages();
    more += seen.measured > 4;
    if (seen.measured > 4) CHECK(seen.bound->kind == BoundKind::does_not_apply);
    CHECK_FALSE(violated(seen));
  }
  CHECK(more > 0);
}

TEST_CASE("with a quorum echo ends although clients never answer, and says who was late") {
  const auto protocol = echo(3, 4, {PolicyKind::quorum, 2, {}});
  RoleDriver driver(*protocol);
  driver.start();
  while (!driver.pending().empty()) {
    auto& pending = driver.pending();
    std::erase_if(pending, [](const Delivery& d) { return d.to == NodeId{3}; });
    driver.deliver_one();
  }
  CHECK(driver.times_finished(0) == 1);
  CHECK(driver.times_finished(3) == 0);
  CHECK_FALSE(driver.role(3).waiting());
  const auto ended = driver.all<RoundEnded>();
  REQUIRE(ended.size() == 4);
  for (const auto& round : ended) {
    CHECK(round.arrived == 2);
    CHECK(round.expected == 3);
    CHECK(round.late == std::vector<NodeId>{NodeId{3}});
  }
}

TEST_CASE("a reply to a closed round is stale, a request overtaken by a newer one too") {
  const auto protocol = echo(2, 3, {PolicyKind::quorum, 1, {}});
  RoleDriver driver(*protocol);
  driver.start();
  const auto request = driver.sent()[0].message.payload;
  driver.deliver({NodeId{2}, {NodeId{0}, Round{2}, request}});
  driver.deliver({NodeId{2}, {NodeId{0}, Round{1}, request}});
  REQUIRE(driver.all<StaleObserved>(2).size() == 1);
  CHECK(driver.all<StaleObserved>(2)[0].round == Round{1});
  CHECK(driver.sent().size() == 3);  // two requests, one reply
}

TEST_CASE("echo's stall report names the round and the missing clients") {
  const auto protocol = echo(3, 2);
  RoleDriver driver(*protocol);
  driver.start();
  driver.pending().erase(driver.pending().begin() + 1);
  while (driver.deliver_one()) {
  }
  const auto server = driver.role(0).waiting();
  REQUIRE(server);
  CHECK(server->for_what == "EchoReply of round 1");
  CHECK(server->from == std::vector<NodeId>{NodeId{2}});
  const auto client = driver.role(2).waiting();
  REQUIRE(client);
  CHECK(client->message_type == "EchoRequest");
  CHECK(client->round == Round{1});
  CHECK(client->from == std::vector<NodeId>{NodeId{0}});
}

TEST_CASE("a deadline closes an echo round with what has come") {
  const auto protocol = echo(2, 2, {PolicyKind::deadline, 1, Duration::seconds(1)});
  RoleDriver driver(*protocol);
  driver.start();
  std::erase_if(driver.pending(), [](const Delivery& d) { return d.to == NodeId{1}; });
  while (driver.deliver_one()) {
  }
  CHECK(driver.all<RoundEnded>().empty());
  REQUIRE(driver.fire_one());
  REQUIRE(driver.all<RoundEnded>().size() == 1);
  CHECK(driver.all<RoundEnded>()[0].arrived == 1);
}

}  // namespace
}  // namespace posse::test_echo
