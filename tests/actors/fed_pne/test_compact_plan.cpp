// SPDX-License-Identifier: Apache-2.0
// Fed-PNE's compact plan: the decisions of the plain one in fewer bytes.
#include <catch2/catch.hpp>

#include "actors/fed_pne/messages.hpp"
#include "actors/fed_pne/protocol.hpp"
#include "tests/support/faults.hpp"
#include "tests/support/federations.hpp"

namespace posse::test_fed_pne_compact {
namespace {

using namespace test;

const std::vector<std::string> kExact{
    "messages", "values up", "values down", "payload up", "payload down"};

Problem shifted_garlands(std::uint64_t budget) {
  return make_problem({garland(-0.03), garland(-0.01), garland(0.02), garland(0.04)}, budget);
}

std::vector<CompactPlan> plans_to_first_client(const RoleDriver& driver) {
  std::vector<CompactPlan> plans;
  for (const auto& sent : driver.sent())
    if (const auto* plan = sent.message.get<CompactPlan>(); plan != nullptr && sent.to.value == 1)
      plans.push_back(*plan);
  return plans;
}

TEST_CASE("a compact plan holds a bit per cell of the phase before") {
  // The worked example's K: root, 4, 8, 10, 16 cells; 4, 5, 8 and 9 of them are kept.
  const auto problem = shifted_garlands(2000);
  const auto protocol = make_protocol(fed_pne_algorithm(), &problem, 4, {{"compact_plan", true}});
  RoleDriver driver(*protocol);
  driver.run();
  REQUIRE(driver.all_finished());
  const auto plans = plans_to_first_client(driver);
  REQUIRE(plans.size() == 5);
  CHECK(plans[0].kept == std::vector<std::uint8_t>{1});
  CHECK(plans[0].expansions == 1);  // two cells are too few for four clients' looks
  CHECK(plans[1].kept == std::vector<std::uint8_t>{0x0f});
  for (std::size_t p = 1; p < plans.size(); ++p) {
    CHECK(plans[p].phase == p + 1);
    CHECK(plans[p].expansions == 0);
  }
  const auto outcome = driver.outcome(&problem);
  CHECK(outcome.total(&TypeAccount::sent, "PhasePlan") == 0);
  CHECK(outcome.total(&TypeAccount::bytes, "CompactPlan") == 4 * (9 + 9 + 9 + 10 + 10));
  CHECK(outcome.total(&TypeAccount::values, "CompactPlan") == 4 * (2 + 5 + 6 + 9 + 10));
  CHECK(exact_counts(*protocol, outcome) == kExact);
}

TEST_CASE("plain and compact plans lead to the same decisions, pulls and recommendations",
          "[long]") {
  std::mt19937 random(41);
  int eliminating = 0;
  int expanding = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const auto s = random_federation(random);
    INFO("trial " << trial << ": M " << s.clients << ", T " << s.budget << ", k " << s.arity);
    const auto problem = s.problem();
    auto changes = s.changes();
    changes["trim_last_plan"] = trial % 2 == 0;
    const auto plain_protocol = make_protocol(fed_pne_algorithm(), &problem, s.clients, changes);
    RoleDriver plain(*plain_protocol);
    plain.run();
    changes["compact_plan"] = true;
    const auto protocol = make_protocol(fed_pne_algorithm(), &problem, s.clients, changes);
    RoleDriver compact(*protocol,
                       {.shuffled = trial % 3 > 0,
                        .duplicates = trial % 3 > 0 ? 0.3 : 0.0,
                        .seed = static_cast<std::uint32_t>(trial)});
    compact.run();
    REQUIRE(compact.all_finished());
    REQUIRE(rounds_table(compact) == rounds_table(plain));
    REQUIRE(pulls_made(compact, s.clients) == pulls_made(plain, s.clients));
    REQUIRE(compact.all<RecommendationObserved>().back().point ==
            plain.all<RecommendationObserved>().back().point);
    REQUIRE(compact.all<StaleObserved>().empty());

    const auto outcome = compact.outcome(&problem);
    REQUIRE(exact_counts(*protocol, outcome) == kExact);
    REQUIRE(within_forecast(*protocol, outcome));
    // The formula, from the rounds alone.
    std::uint64_t bytes = 0;
    std::uint64_t before = 1;
    for (const auto& phase : outcome.rounds) {
      bytes += 8 + (before + 7) / 8;
      before = phase.active_cells;
    }
    const bool cut = outcome.rounds.empty() || outcome.rounds.back().steps < s.budget;
    if (cut) bytes += 8 + (before + 7) / 8;
    REQUIRE(outcome.total(&TypeAccount::bytes, "CompactPlan") == s.clients * bytes);
    for (const auto& plan : plans_to_first_client(compact)) {
      std::size_t kept = 0;
      for (const auto byte : plan.kept) kept += static_cast<std::size_t>(std::popcount(byte));
      eliminating += plan.phase > 1 && kept < outcome.rounds[plan.phase - 2].active_cells ? 1 : 0;
      expanding += plan.expansions > 0 ? 1 : 0;
    }
  }
  CHECK(eliminating > 50);
  CHECK(expanding > 5);
}

TEST_CASE("extra expansions and the depth limit reach the clients") {
  // Only the leftmost cell survives each phase; 64 cells are still within M = 100 looks.
  for (const std::uint64_t budget : {1000, 5000}) {
    const auto problem = make_problem(cliff(), 100, budget);
    const auto run = [&](bool compact) {
      const auto protocol = make_protocol(fed_pne_algorithm(),
                                          &problem,
                                          100,
                                          {{"nu1", 30.0}, {"rho", 0.9}, {"compact_plan", compact}});
      auto driver = std::make_unique<RoleDriver>(*protocol);
      driver->run();
      REQUIRE(driver->all_finished());
      REQUIRE(broken_measurements(*protocol, driver->outcome()).empty());
      if (compact) REQUIRE(exact_counts(*protocol, driver->outcome()) == kExact);
      return driver;
    };
    const auto plain = run(false);
    const auto compact = run(true);
    CHECK(rounds_table(*compact) == rounds_table(*plain));
    CHECK(pulls_made(*compact, 100) == pulls_made(*plain, 100));
    const auto plans = plans_to_first_client(*compact);
    REQUIRE(plans.size() >= 2);
    CHECK(plans[0].expansions == 6);
    CHECK(plans[1].expansions == 6);
    if (budget == 5000) {
      CHECK(rounds_table(*compact).back()[0] == 62);
      CHECK(compact->all<PullsObserved>(1).back().count > 1);
    }
  }
}

TEST_CASE("a client that doesn't hold the phase before stays silent and says so") {
  const auto problem = shifted_garlands(2000);
  const auto protocol = make_protocol(fed_pne_algorithm(), &problem, 4, {{"compact_plan", true}});
  const auto client = protocol->make_role(NodeId{3});
  CHECK(client->waiting()->message_type == "CompactPlan");
  const auto hears = [&](std::uint16_t phase, std::vector<std::uint8_t> kept) {
    Reaction reaction(Time{}, NodeId{3});
    client->on_message(
        {NodeId{0}, Round{phase}, Payload::make(CompactPlan{phase, 0, std::move(kept)})}, reaction);
    return std::pair{reaction.effects().size(), reaction.observations().size()};
  };
  CHECK(hears(2, {0x03}) == std::pair{std::size_t{0}, std::size_t{1}});  // phase 1 is missing
  CHECK(hears(2, {0x03}) == std::pair{std::size_t{0}, std::size_t{0}});  // a copy
  CHECK(client->waiting());
}

TEST_CASE("compact plans need a server that waits for all") {
  const auto& spec = fed_pne_algorithm();
  const auto problem = shifted_garlands(100);
  auto parameters = default_parameters(spec.parameters);
  parameters.set("compact_plan", true);
  CHECK(spec.validate(parameters, {4, Seed{1}, {}, &problem}).empty());
  for (const auto kind : {PolicyKind::quorum, PolicyKind::deadline}) {
    const auto problems =
        spec.validate(parameters, {4, Seed{1}, {kind, 2, Duration::seconds(1)}, &problem});
    REQUIRE(problems.size() == 1);
    CHECK(problems[0].find("policy \"all\"") != std::string::npos);
  }
}

TEST_CASE("compact plans survive loss, copies and reordering under the reliable transport") {
  const auto& algorithm = fed_pne_algorithm();
  for (std::uint64_t number = 0; number < 80; ++number) {
    const auto clients = static_cast<std::uint32_t>(1 + number % 5);
    const auto problem = make_problem("garland", clients, 300, Seed{number}, 0.05);
    auto parameters = default_parameters(algorithm.parameters);
    Run plain(algorithm, parameters, clients, Seed{number}, &problem);
    const auto expected = run_serial(plain.spec).outcome;
    parameters.set("compact_plan", true);
    Run run(algorithm, parameters, clients, Seed{number}, &problem);
    const auto outcome = check_faults_change_no_decision(run, number);
    check_same_decisions(outcome, expected);
  }
}

}  // namespace
}  // namespace posse::test_fed_pne_compact
