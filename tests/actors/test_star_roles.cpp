// SPDX-License-Identifier: Apache-2.0
// What the roles of every star do alike: whom they wait for, what they do with copies and with
// messages that come too late, what a round and an evaluation report.
#include <catch2/catch.hpp>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "actors/blin/protocol.hpp"
#include "actors/fed_pne/private_protocol.hpp"
#include "actors/fed_pne/protocol.hpp"
#include "actors/fed_pne_variance/protocol.hpp"
#include "actors/fed_ucb/protocol.hpp"
#include "actors/hct_batched/protocol.hpp"
#include "actors/learners/hct.hpp"
#include "actors/pf_pne_reuse/protocol.hpp"
#include "core/domain/partition.hpp"
#include "tests/support/reactions.hpp"
#include "tests/support/role_driver.hpp"

namespace posse::test_star_roles {
namespace {

using namespace test;
using Changes = std::map<std::string, ParameterValue>;

struct Star {
  const AlgorithmSpec* spec;
  std::string plan;     // what clients wait for, up to the round's number
  std::string uploads;  // what the server waits for
  Changes changes = {};
  bool reports_stale = true;  // a client reports a plan that a later one overtook
};

/// Systems whose server asks and whose clients answer, all in every round.
std::vector<Star> stars() {
  return {
      {&fed_pne_algorithm(), "PhasePlan of phase ", "LocalMeans of phase "},
      {&fed_pne_algorithm(),
       "CompactPlan of phase ",
       "LocalMeans of phase ",
       {{"compact_plan", true}}},
      {&fed_pne_algorithm(),
       "PhasePlan of phase ",
       "Means16 of phase ",
       {{"means", std::string("u16")}}},
      {&dp_fed_pne_algorithm(), "PhasePlan of phase ", "LocalMeans of phase ", {{"epsilon", 10.0}}},
      {&fed_pne_variance_algorithm(),
       "VariancePlan of round ",
       "LocalMoments of round ",
       {},
       false},
      {&pf_pne_reuse_algorithm(), "PhasePlan of round ", "SpreadMeans of round "},
      {&fed1_ucb_algorithm(),
       "ActiveArms of phase ",
       "ArmMeans of phase ",
       {{"pulls_per_phase", std::int64_t{3}}}},
      {&blin_algorithm(), "Batch ", "BatchMeans of batch ", {{"lipschitz", 4.0}}},
      {&hct_batched_algorithm(), "PullPlan of batch ", "LocalMeans of batch "},
      {&vhct_batched_algorithm(), "PullPlan of batch ", "LocalMoments of batch "},
      {&hct_central_algorithm(), "Query of step ", "Reward of step "}};
}

constexpr std::uint64_t kBudget = 150;

Problem three_clients() {
  return make_problem({garland(-0.02), garland(0), garland(0.03)}, kBudget);
}

/// All that the nodes did so far.
std::vector<std::size_t> done(const RoleDriver& driver) {
  return {driver.sent().size(),
          driver.observed().size(),
          static_cast<std::size_t>(driver.evaluations_declared())};
}

TEST_CASE("a star's server waits for the clients that haven't answered, clients for the server",
          "[star]") {
  const auto problem = three_clients();
  for (const auto& star : stars()) {
    INFO(star.spec->kind << ", " << star.plan);
    const auto protocol = make_protocol(*star.spec, &problem, 3, star.changes);
    RoleDriver driver(*protocol);
    driver.start();
    const auto plans = driver.pending();
    REQUIRE(plans.size() == 3);
    driver.pending().clear();
    check_waiting(driver.role(0), star.uploads + "1", 1, {NodeId{1}, NodeId{2}, NodeId{3}});
    for (std::uint32_t node = 1; node <= 3; ++node) {
      CHECK(plans[node - 1].to == NodeId{node});
      check_waiting(driver.role(node), star.plan + "1", 1, {NodeId{0}});
      driver.deliver(plans[node - 1]);
      check_waiting(driver.role(node), star.plan + "2", 2, {NodeId{0}});
    }
    const auto answers = driver.pending();
    driver.pending().clear();
    REQUIRE(answers.size() == 3);
    for (std::uint32_t node = 1; node <= 3; ++node) {
      CHECK(answers[node - 1].to == NodeId{0});
      CHECK(answers[node - 1].message.from == NodeId{node});
      CHECK(answers[node - 1].message.round == Round{1});
    }
    driver.deliver(answers[1]);
    check_waiting(driver.role(0), star.uploads + "1", 1, {NodeId{1}, NodeId{3}});
    const auto before = done(driver);
    driver.deliver(answers[1]);  // copies
    driver.deliver(plans[0]);
    CHECK(done(driver) == before);
    driver.deliver(answers[0]);
    check_waiting(driver.role(0), star.uploads + "1", 1, {NodeId{3}});
    driver.deliver(answers[2]);
    check_waiting(driver.role(0), star.uploads + "2", 2, {NodeId{1}, NodeId{2}, NodeId{3}});

    while (driver.deliver_one()) {
    }
    REQUIRE(driver.all_finished());
    for (std::uint32_t node = 0; node <= 3; ++node) CHECK_FALSE(driver.role(node).waiting());
    CHECK(driver.all<StaleObserved>().empty());
    // A client whose budget is spent does nothing, whatever comes.
    const auto end = done(driver);
    auto late = plans[0];
    late.message.round = Round{1000};
    driver.deliver(late);
    CHECK(done(driver) == end);
    CHECK(driver.times_finished(1) == 1);
  }
}

TEST_CASE("a client of a star answers a plan that a later one overtook with nothing", "[star]") {
  const auto problem = three_clients();
  for (const auto& star : stars()) {
    INFO(star.spec->kind << ", " << star.plan);
    const auto protocol = make_protocol(*star.spec, &problem, 3, star.changes);
    RoleDriver driver(*protocol);
    driver.start();
    const auto plan = driver.pending()[1];
    auto later = plan;
    later.message.round = Round{2};
    driver.deliver(later);
    const auto pulls = driver.pulls(3);
    CHECK(pulls[1] > 0);
    CHECK(driver.all<StaleObserved>().empty());
    const auto sent = driver.sent().size();
    driver.deliver(plan);
    CHECK(driver.pulls(3) == pulls);
    CHECK(driver.sent().size() == sent);
    const auto stale = driver.all<StaleObserved>(2);
    REQUIRE(stale.size() == (star.reports_stale ? 1 : 0));
    if (star.reports_stale) {
      CHECK(stale[0].round == Round{1});
      CHECK(stale[0].from == NodeId{0});
    }
    driver.deliver(plan);  // once more: seen already
    CHECK(driver.all<StaleObserved>(2).size() == stale.size());
    check_waiting(driver.role(2), star.plan + "3", 3, {NodeId{0}});
  }
}

TEST_CASE("every round of a star begins once and ends once, with all answers", "[star]") {
  const auto problem = three_clients();
  for (const auto& star : stars()) {
    INFO(star.spec->kind << ", " << star.plan);
    const auto protocol = make_protocol(*star.spec, &problem, 3, star.changes);
    RoleDriver driver(*protocol, {.shuffled = true, .duplicates = 0.3, .seed = 7});
    driver.run();
    REQUIRE(driver.all_finished());
    const auto began = driver.all<RoundBegan>();
    const auto ended = driver.all<RoundEnded>();
    REQUIRE(ended.size() > 1);
    REQUIRE(began.size() == ended.size());
    CHECK(driver.all<RoundEnded>(0).size() == ended.size());
    std::uint64_t steps = 0;
    for (std::uint32_t i = 0; i < ended.size(); ++i) {
      CHECK(began[i].round == Round{i + 1});
      CHECK(ended[i].round == Round{i + 1});
      CHECK(ended[i].arrived == 3);
      CHECK(ended[i].expected == 3);
      CHECK(ended[i].first_asked == NodeId{1});
      CHECK(ended[i].late.empty());
      CHECK(ended[i].active_cells > 0);
      CHECK(ended[i].kept_cells <= ended[i].active_cells);
      CHECK(ended[i].steps > steps);
      steps = ended[i].steps;
    }
    CHECK(steps <= kBudget);
    CHECK(driver.pulls(3) == std::vector<std::uint64_t>(3, kBudget));
    CHECK(driver.evaluations_declared() == 3 * kBudget);
    for (const auto& pulls : driver.all<PullsObserved>()) CHECK(pulls.count > 0);
    for (const auto& sent : driver.sent())
      CHECK((sent.to == NodeId{0}) != (sent.message.from == NodeId{0}));
  }
}

TEST_CASE("a server that eliminates cells recommends the best one after every round", "[star]") {
  const auto problem = three_clients();
  int checked = 0;
  for (const auto& star : stars()) {
    const auto protocol = make_protocol(*star.spec, &problem, 3, star.changes);
    if (protocol->partition() == nullptr || star.spec == &pf_pne_reuse_algorithm()) continue;
    INFO(star.spec->kind << ", " << star.plan);
    RoleDriver driver(*protocol);
    driver.run();
    std::vector<std::vector<double>> expected{{0.5}};
    for (const auto& round : driver.all<RoundEnded>(0))
      expected.push_back(protocol->partition()->point(*round.best));
    std::vector<std::vector<double>> recommended;
    for (const auto& recommendation : driver.all<RecommendationObserved>()) {
      CHECK_FALSE(recommendation.client);
      recommended.push_back(recommendation.point);
    }
    CHECK(recommended == expected);
    ++checked;
  }
  CHECK(checked == 6);
}

TEST_CASE("an edge waits for the server, then for its clients, and finishes once", "[star]") {
  // With T = 4 the first phase, of four cells, is the last one; with T = 150 a phase is cut.
  for (const std::uint64_t budget : {4, 150}) {
    const auto problem = make_problem({garland(-0.02), garland(0), garland(0.03)}, budget);
    const auto protocol =
        make_protocol(fed_pne_algorithm(), &problem, 3, {{"edges", std::int64_t{2}}});
    RoleDriver driver(*protocol);
    driver.start();
    const std::vector<std::vector<NodeId>> clients{{NodeId{3}}, {NodeId{4}, NodeId{5}}};
    const auto plans = driver.pending();
    driver.pending().clear();
    REQUIRE(plans.size() == 2);
    check_waiting(driver.role(0), "EdgeMeans of phase 1", 1, {NodeId{1}, NodeId{2}});
    for (std::uint32_t edge = 1; edge <= 2; ++edge) {
      check_waiting(driver.role(edge), "PhasePlan of phase 1", 1, {NodeId{0}});
      driver.deliver(plans[edge - 1]);
      check_waiting(driver.role(edge), "LocalMeans of phase 1", 1, clients[edge - 1]);
    }
    for (const auto& [client, edge] : {std::pair{3u, 1u}, {4u, 2u}, {5u, 2u}})
      check_waiting(driver.role(client), "PhasePlan of phase 1", 1, {NodeId{edge}});
    while (driver.all<RoundEnded>(0).empty()) REQUIRE(driver.deliver_one());
    if (budget > 4) check_waiting(driver.role(1), "PhasePlan of phase 2", 2, {NodeId{0}});
    while (driver.deliver_one()) {
    }
    CHECK(driver.all_finished());
    for (std::uint32_t node = 0; node <= 5; ++node) CHECK_FALSE(driver.role(node).waiting());
    CHECK(driver.pulls(3) == std::vector<std::uint64_t>(3, budget));
  }
}

TEST_CASE("under a quorum a star's clients wait for nothing: they may have missed any plan",
          "[star]") {
  const auto problem = three_clients();
  int checked = 0;
  for (const auto& star : stars()) {
    if (!star.spec->uses_policy || star.changes.contains("compact_plan")) continue;
    INFO(star.spec->kind << ", " << star.plan);
    const auto protocol =
        make_protocol(*star.spec, &problem, 3, star.changes, {PolicyKind::quorum, 2, {}});
    RoleDriver driver(*protocol);
    driver.start();
    const auto plans = driver.pending();
    CHECK(driver.role(0).waiting());
    CHECK_FALSE(driver.role(1).waiting());
    driver.deliver(plans[0]);
    CHECK_FALSE(driver.role(1).waiting());
    ++checked;
  }
  CHECK(checked == 8);
}

}  // namespace
}  // namespace posse::test_star_roles
