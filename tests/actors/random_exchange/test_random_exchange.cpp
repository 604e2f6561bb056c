// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <set>

#include "actors/random_exchange/protocol.hpp"
#include "tests/support/role_driver.hpp"

namespace posse::test_random_search {
namespace {

using namespace test;

TEST_CASE("random search outputs the best reward any player saw, once, everywhere in the box") {
  for (const std::uint32_t players : {1u, 2u, 5u}) {
    const auto problem = make_problem(bowl(0.3, 0.8), players, 50);
    const auto protocol = make_protocol(random_exchange_algorithm(), &problem, players);
    RoleDriver driver(*protocol, {.shuffled = true, .duplicates = 0.3, .seed = players});
    driver.run();
    REQUIRE(driver.all_finished());
    double best = -1;
    std::vector<double> x;
    std::set<std::vector<double>> points;
    for (const auto& p : driver.all<PullsObserved>()) {
      CHECK(problem.domain().contains(p.point));
      points.insert(p.point);
      if (problem.mean(p.point) > best) best = problem.mean(p.point), x = p.point;
    }
    CHECK(points.size() == 50 * players);  // players explore apart from each other
    REQUIRE(driver.all<RecommendationObserved>().size() == 1);
    CHECK(driver.all<RecommendationObserved>()[0].point == x);
    CHECK(driver.sent().size() == players * (players - 1));
    CHECK(driver.pulls(players) == std::vector<std::uint64_t>(players, 50));
    CHECK(broken_measurements(*protocol, driver.outcome(&problem)).empty());
    std::uint64_t bytes = 0;
    for (const auto& sent : driver.sent()) bytes += sent.message.payload.size_bytes();
    CHECK(protocol->forecast().bytes == static_cast<double>(bytes));
  }
}

TEST_CASE("equal rewards: the smallest player's point is the output") {
  const auto flat = std::make_shared<FunctionObjective>(
      Box::cube(1, 2, 5),
      [](std::span<const double>) { return 0.5; },
      0.5,
      std::vector<double>{2.0});
  const auto problem = make_problem(flat, 3, 10);
  const auto protocol = make_protocol(random_exchange_algorithm(), &problem, 3);
  RoleDriver driver(*protocol, {.shuffled = true, .seed = 8});
  driver.run();
  CHECK(driver.all<RecommendationObserved>()[0].point == driver.all<PullsObserved>(0)[0].point);
}

TEST_CASE("a player of random search waits for the others' best by name") {
  const auto problem = make_problem(sine(), 3, 10);
  const auto protocol = make_protocol(random_exchange_algorithm(), &problem, 3);
  RoleDriver driver(*protocol);
  driver.start();
  const auto waiting = driver.role(1).waiting();
  REQUIRE(waiting);
  CHECK(waiting->from == std::vector<NodeId>{NodeId{0}, NodeId{2}});
  CHECK(waiting->message_type == "Best");
  while (driver.deliver_one()) {
  }
  CHECK_FALSE(driver.role(1).waiting());
}

}  // namespace
}  // namespace posse::test_random_search
