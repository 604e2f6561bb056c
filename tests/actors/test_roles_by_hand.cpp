// SPDX-License-Identifier: Apache-2.0
// Single roles by hand: clients that search alone after a crash (those that keep their state go on,
// those that have lost it begin anew with the budget that is left, and none does anything twice),
// clients that join, players that report their levels.
#include <catch2/catch.hpp>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "actors/fed_ucb/messages.hpp"
#include "actors/fed_ucb/protocol.hpp"
#include "actors/learners/central_learner.hpp"
#include "actors/learners/hct.hpp"
#include "actors/parallel/protocol.hpp"
#include "actors/pf_pne/protocol.hpp"
#include "actors/pf_pne_hct/protocol.hpp"
#include "tests/support/reactions.hpp"
#include "tests/support/role_driver.hpp"

namespace posse::test_roles_by_hand {
namespace {

using namespace test;
using Changes = std::map<std::string, ParameterValue>;

std::uint64_t pulled(const Reaction& reaction) {
  std::uint64_t count = 0;
  for (const auto& pulls : observed<PullsObserved>(reaction)) count += pulls.count;
  return count;
}
std::uint64_t worked(const Reaction& reaction) {
  std::uint64_t count = 0;
  for (const auto& work : effects<EvaluateEffect>(reaction)) count += work.count;
  return count;
}

TEST_CASE("a client of PF-PNE without stage 1 searches when it restarts, if it has pulls left",
          "[restart]") {
  const auto problem = make_problem(garland(), 2, 300);
  for (const auto* spec : {&pf_pne_algorithm(), &pf_pne_hct_algorithm()}) {
    INFO(spec->kind);
    const auto alone = make_protocol(*spec, &problem, 2, {{"max_difference", 1.5}});
    const auto anew = alone->make_role_anew(NodeId{1}, 100);
    const auto search = restart(*anew, 1);
    CHECK(pulled(search) == 200);
    CHECK(worked(search) == 200);
    CHECK(finishes(search));
    CHECK(is_empty(restart(*anew, 1)));

    // With a stage 1 it waits for the server's next message.
    const auto together = make_protocol(*spec, &problem, 2);
    const auto client = together->make_role(NodeId{1});
    CHECK(sends(start(*client, 1)).size() == 1);
    CHECK(is_empty(restart(*client, 1)));
    const auto other = together->make_role_anew(NodeId{2}, 100);
    CHECK(is_empty(restart(*other, 2)));
  }
}

TEST_CASE(
    "a client that learns alone goes on when it restarts, and reports once if nothing is left",
    "[restart]") {
  const auto problem = make_problem(garland(), 2, 9000);
  const auto protocol = make_protocol(hct_local_algorithm(), &problem, 2);
  const auto client = protocol->make_role(NodeId{1});
  std::uint64_t total = pulled(start(*client, 1));
  CHECK(total > 0);
  int pieces = 1;
  for (; total < 9000; ++pieces) {
    const auto piece = restart(*client, 1);
    REQUIRE(pulled(piece) > 0);
    CHECK(pulled(piece) <= 4096);
    CHECK(pulled(piece) == worked(piece));
    total += pulled(piece);
    CHECK(finishes(piece) == (total == 9000));
    CHECK(effects<SetTimerEffect>(piece).empty() == (total == 9000));
  }
  CHECK(total == 9000);
  CHECK(pieces > 3);
  CHECK(is_empty(restart(*client, 1)));

  const auto late = protocol->make_role_anew(NodeId{0}, 9000);
  const auto last = restart(*late, 0);
  CHECK(pulled(last) == 0);
  CHECK(finishes(last));
  REQUIRE(observed<RecommendationObserved>(last).size() == 1);
  CHECK(observed<RecommendationObserved>(last)[0].client == 0u);
  CHECK(is_empty(restart(*late, 0)));
  const auto nearly = protocol->make_role_anew(NodeId{0}, 8999);
  CHECK(pulled(restart(*nearly, 0)) == 1);
}

TEST_CASE("environments and clients go on after the evaluations that they made before",
          "[restart]") {
  const auto problem = make_problem(garland(), 2, 10);
  const auto protocol = make_protocol(hct_central_algorithm(), &problem, 2);
  CHECK_FALSE(protocol->can_lose_state(NodeId{0}));
  CHECK(protocol->can_lose_state(NodeId{1}));
  const auto environment = protocol->make_role_anew(NodeId{1}, 9);
  const auto answer = tell(*environment, 1, 0, 10, Query{10, 0, 1});
  REQUIRE(sends(answer).size() == 1);
  CHECK(sends(answer)[0].payload.get<Reward>()->t == 10);
  CHECK(sends(answer)[0].payload.get<Reward>()->reward == garland_at(0.5));
  CHECK(finishes(answer));
  CHECK(is_empty(tell(*environment, 1, 0, 11, Query{11, 0, 1})));
}

TEST_CASE("clients of Fed2-UCB wait for nothing until they join, then for the next phase",
          "[star]") {
  const auto problem = make_problem(garland(), 5, 600);
  const auto protocol =
      make_protocol(fed2_ucb_algorithm(), &problem, 5, {{"pulls_per_phase", std::int64_t{4}}});
  RoleDriver driver(*protocol);
  driver.start();
  check_waiting(driver.role(0), "ArmMeans of phase 1", 1, {NodeId{1}, NodeId{2}});
  for (std::uint32_t node = 1; node <= 5; ++node) CHECK_FALSE(driver.role(node).waiting());
  while (driver.all<RoundEnded>(0).empty()) REQUIRE(driver.deliver_one());
  // 2 + 4 > 5 clients: all join.
  check_waiting(driver.role(0),
                "ArmMeans of phase 2",
                2,
                {NodeId{1}, NodeId{2}, NodeId{3}, NodeId{4}, NodeId{5}});
  CHECK_FALSE(driver.role(4).waiting());
  const auto plans = driver.pending();
  driver.pending().clear();
  REQUIRE(plans.size() == 5);
  CHECK(plans[1].message.get<ActiveArms>() != nullptr);
  const auto* join = plans[3].message.get<Join>();
  REQUIRE(join != nullptr);
  CHECK(join->steps == 80);  // 20 arms, 4 pulls each
  CHECK(join->phase == 2);
  CHECK(join->pulls == 4);
  for (const auto& plan : plans) driver.deliver(plan);
  check_waiting(driver.role(4), "ActiveArms of phase 3", 3, {NodeId{0}});
  while (driver.deliver_one()) {
  }
  REQUIRE(driver.all_finished());
  CHECK(driver.pulls(5) == std::vector<std::uint64_t>{600, 600, 520, 520, 520});
  for (std::uint32_t node = 0; node <= 5; ++node) CHECK_FALSE(driver.role(node).waiting());
}

TEST_CASE("every player of the parallel bandit reports its levels, the first one the cells",
          "[mesh]") {
  const auto problem = make_problem(sine(), 3, 400, true);
  const auto protocol = make_protocol(parallel_algorithm(), &problem, 3);
  RoleDriver driver(*protocol, {.shuffled = true, .duplicates = 0.3, .seed = 2});
  driver.run();
  REQUIRE(driver.all_finished());
  const auto first = driver.all<RoundEnded>(0);
  REQUIRE(first.size() > 2);
  for (std::uint32_t player = 0; player < 3; ++player) {
    const auto began = driver.all<RoundBegan>(player);
    const auto ended = driver.all<RoundEnded>(player);
    REQUIRE(ended.size() == first.size());
    REQUIRE(began.size() == first.size());
    for (std::uint32_t h = 0; h < ended.size(); ++h) {
      CHECK(began[h].round == Round{h + 1});
      CHECK(ended[h].round == Round{h + 1});
      CHECK(ended[h].arrived == 2);
      CHECK(ended[h].expected == 2);
      CHECK_FALSE(ended[h].first_asked);
      CHECK(ended[h].waited == Duration{});
      CHECK(ended[h].best == first[h].best);
      CHECK(ended[h].best->depth == h);
      CHECK(ended[h].active_cells == first[h].active_cells);
      CHECK(ended[h].kept_cells == first[h].kept_cells);
      CHECK(ended[h].cells.size() == (player == 0 ? first[h].active_cells : 0));
      CHECK(ended[h].threshold == first[h].threshold);
    }
    CHECK(driver.all<RecommendationObserved>(player).size() ==
          (player == 0 ? ended.size() + 1 : 0));
    CHECK_FALSE(driver.role(player).waiting());
  }
}

TEST_CASE("HCT's widths are the theory's with its constants, one rule draws recommendations",
          "[certificate]") {
  const auto problem = make_problem(garland(), 2, 100);
  const auto facts = [&](const AlgorithmSpec& spec, const Changes& changes = {}) {
    return make_protocol(spec, &problem, 2, changes)->comparison_facts();
  };
  for (const auto* spec : {&hct_algorithm(), &vhct_algorithm(), &hct_local_algorithm()}) {
    CHECK(facts(*spec).widths == Widths::practical);
    CHECK(facts(*spec, {{"constants", std::string("theory")}}).widths == Widths::theory);
    CHECK(facts(*spec, {{"c", 2.83}}).widths == Widths::theory);  // 2 sqrt(2) = 2.828
    CHECK(facts(*spec, {{"c", 2.82}}).widths == Widths::practical);
    CHECK(facts(*spec).random_recommendation);
    for (const char* rule : {"most-pulled", "deepest-most-pulled", "last"})
      CHECK_FALSE(facts(*spec, {{"recommendation", std::string(rule)}}).random_recommendation);
  }
}

}  // namespace
}  // namespace posse::test_roles_by_hand
