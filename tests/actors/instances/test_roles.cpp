// SPDX-License-Identifier: Apache-2.0
// The hub and the instances of POO and GPO by hand: starts, answers, restarts and the rest of the
// budget.
#include <catch2/catch.hpp>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "actors/instances/messages.hpp"
#include "actors/instances/protocol.hpp"
#include "core/domain/partition.hpp"
#include "tests/support/problems.hpp"
#include "tests/support/reactions.hpp"
#include "tests/support/role_driver.hpp"

namespace posse::test_instance_roles {
namespace {

using namespace test;
using Changes = std::map<std::string, ParameterValue>;

/// 0.25 everywhere, without noise: every mean is 0.25.
Problem flat(std::uint64_t budget) {
  return make_problem(std::make_shared<FunctionObjective>(
                          Box::cube(1, 0, 1),
                          [](std::span<const double>) { return 0.25; },
                          0.25,
                          std::vector<double>{0.5}),
                      1,
                      budget);
}

Found found(double mean, double x) { return {mean, {{x}}}; }

std::uint64_t pulled(const Reaction& reaction) {
  std::uint64_t count = 0;
  for (const auto& pulls : observed<PullsObserved>(reaction)) {
    CHECK(pulls.client == 0);
    count += pulls.count;
  }
  return count;
}

TEST_CASE("GPO's hub starts all instances at once, and pulls the best answer with the rest") {
  // n = 50 with rho_max = 0.5: D_max = 1, N = ceil(ln(25 / ln 25) / 2) = ceil(1.025) = 2, each with
  // 2 floor(50 / 4) = 24 evaluations, and 2 are left. rho = 0.5^{4/3}, 0.5^{4/5}.
  const auto problem = flat(50);
  const auto protocol = make_protocol(gpo_algorithm(), &problem, 1, {{"rho_max", 0.5}});
  const auto hub = protocol->make_role(NodeId{0});
  const auto started = start(*hub, 0);
  REQUIRE(observed<RecommendationObserved>(started).size() == 1);
  CHECK(observed<RecommendationObserved>(started)[0].point == std::vector<double>{0.5});
  REQUIRE(observed<RoundBegan>(started).size() == 1);
  const auto starts = sends(started);
  REQUIRE(starts.size() == 2);
  const double rhos[] = {0.39685026299204987, 0.57434917749851755};
  for (std::uint32_t i = 0; i < 2; ++i) {
    CHECK(starts[i].first == NodeId{i + 1});
    CHECK(starts[i].count == 1);
    CHECK(starts[i].round == Round{1});
    const auto* message = starts[i].payload.get<Start>();
    REQUIRE(message != nullptr);
    CHECK(message->nu == 1);
    CHECK(message->rho == Approx(rhos[i]).epsilon(1e-14));
    CHECK(message->budget == 24);
  }
  check_waiting(*hub, "Found of pass 1", 1, {NodeId{1}, NodeId{2}});
  CHECK(is_empty(tell(*hub, 0, 2, 1, found(0.5, 0.75))));
  check_waiting(*hub, "Found of pass 1", 1, {NodeId{1}});
  CHECK(is_empty(tell(*hub, 0, 2, 1, found(0.9, 0.75))));  // a copy, whatever it says
  const auto end = tell(*hub, 0, 1, 1, found(0.5, 0.125));
  const auto ended = observed<RoundEnded>(end);
  REQUIRE(ended.size() == 1);
  CHECK(ended[0].round == Round{1});
  CHECK_FALSE(ended[0].best);
  CHECK(ended[0].active_cells == 2);
  CHECK(ended[0].kept_cells == 2);
  CHECK(ended[0].pulls_per_cell == 24);
  CHECK(ended[0].steps == 48);
  CHECK(ended[0].arrived == 2);
  CHECK(ended[0].expected == 2);
  CHECK(ended[0].first_asked == NodeId{1});
  // The first of equal means.
  REQUIRE(observed<RecommendationObserved>(end).size() == 1);
  CHECK(observed<RecommendationObserved>(end)[0].point == std::vector<double>{0.125});
  REQUIRE(effects<EvaluateEffect>(end).size() == 1);
  CHECK(effects<EvaluateEffect>(end)[0].count == 2);
  REQUIRE(observed<PullsObserved>(end).size() == 1);
  CHECK(observed<PullsObserved>(end)[0].point == std::vector<double>{0.125});
  CHECK(pulled(end) == 2);
  CHECK(finishes(end));
  CHECK(sends(end).empty());
  CHECK_FALSE(hub->waiting());

  // n = 48: nothing is left.
  const auto even = flat(48);
  const auto without_rest = make_protocol(gpo_algorithm(), &even, 1, {{"rho_max", 0.5}});
  RoleDriver driver(*without_rest);
  driver.run();
  CHECK(driver.all<PullsObserved>(0).empty());
  CHECK(driver.pulls(1) == std::vector<std::uint64_t>{48});
  CHECK(driver.evaluations_declared() == 48);
}

TEST_CASE("an instance of GPO learns with half of its evaluations and checks with the other half") {
  const auto problem = flat(50);
  const auto protocol = make_protocol(gpo_algorithm(), &problem, 1, {{"rho_max", 0.5}});
  const auto instance = protocol->make_role(NodeId{2});
  CHECK(is_empty(start(*instance, 2)));
  check_waiting(*instance, "Start of pass 1", 1, {NodeId{0}});
  const auto answer = tell(*instance, 2, 0, 1, Start{1, 0.5, 24});
  const auto work = effects<EvaluateEffect>(answer);
  REQUIRE(work.size() == 1);
  CHECK(work[0].count == 24);
  CHECK(pulled(answer) == 24);
  CHECK(observed<PullsObserved>(answer).back().count == 12);
  REQUIRE(sends(answer).size() == 1);
  CHECK(sends(answer)[0].first == NodeId{0});
  CHECK(sends(answer)[0].round == Round{1});
  const auto* message = sends(answer)[0].payload.get<Found>();
  REQUIRE(message != nullptr);
  CHECK(message->mean == 0.25);
  CHECK(message->x.numbers == observed<PullsObserved>(answer).back().point);
  const auto counts = observed<CountObserved>(answer);
  REQUIRE(counts.size() == 2);
  CHECK(counts[0].name == "tree depth");
  CHECK(counts[1].name == "tree cells");
  CHECK(counts[1].value > counts[0].value);
  CHECK(finishes(answer));
  CHECK_FALSE(instance->waiting());
  CHECK(is_empty(tell(*instance, 2, 0, 1, Start{1, 0.5, 24})));  // a copy
  CHECK(is_empty(restart(*instance, 2)));

  // With a budget of one there is nothing to check.
  const auto one = flat(1);
  const auto tiny = make_protocol(gpo_algorithm(), &one, 1);
  const auto idle = tiny->make_role(NodeId{1});
  const auto nothing = tell(*idle, 1, 0, 1, Start{1, 0.5, 0});
  CHECK(effects<EvaluateEffect>(nothing).empty());
  REQUIRE(sends(nothing).size() == 1);
  CHECK(sends(nothing)[0].payload.get<Found>()->mean == 0);
  CHECK(finishes(nothing));
}

TEST_CASE("an instance works in pieces of 4096, goes on after a crash, and adds up its passes") {
  // POO with one instance (n < 3 in the first pass): all passes are its own.
  const auto problem = flat(10'000);
  const auto protocol = make_protocol(poo_algorithm(), &problem, 1, {{"rho_max", 1e-6}});
  REQUIRE(protocol->groups()[1].size == 1);
  const auto instance = protocol->make_role(NodeId{1});
  const auto piece = [](const Reaction& reaction) {
    REQUIRE(effects<EvaluateEffect>(reaction).size() == 1);
    CHECK(effects<EvaluateEffect>(reaction)[0].count == pulled(reaction));
    return pulled(reaction);
  };
  const auto first = tell(*instance, 1, 0, 1, Start{1, 0.5, 5000});
  CHECK(piece(first) == 4096);
  REQUIRE(effects<SetTimerEffect>(first).size() == 1);
  CHECK(sends(first).empty());
  check_waiting(*instance, "Start of pass 2", 2, {NodeId{0}});
  const auto second = restart(*instance, 1);
  CHECK(piece(second) == 904);
  CHECK(effects<SetTimerEffect>(second).empty());
  REQUIRE(sends(second).size() == 1);
  CHECK(sends(second)[0].round == Round{1});
  CHECK(sends(second)[0].payload.get<Found>()->mean == 0.25);
  CHECK_FALSE(finishes(second));
  CHECK(is_empty(restart(*instance, 1)));  // it waits
  const auto third = tell(*instance, 1, 0, 2, Start{1, 0.5, 5000});
  CHECK(piece(third) == 4096);
  Reaction timer(Time{}, NodeId{1});
  instance->on_timer(TimerId{1}, timer);
  CHECK(piece(timer) == 904);
  REQUIRE(sends(timer).size() == 1);
  CHECK(sends(timer)[0].round == Round{2});
  CHECK(sends(timer)[0].payload.get<Found>()->mean == 0.25);
  CHECK(finishes(timer));
}

TEST_CASE("POO's hub asks the instances of each pass, and recommends the best of all answers") {
  const auto problem = flat(300);
  const auto protocol = make_protocol(poo_algorithm(), &problem, 1);
  RoleDriver driver(*protocol, {.shuffled = true, .duplicates = 0.3, .seed = 3});
  driver.run();
  REQUIRE(driver.all_finished());
  const auto rounds = driver.all<RoundEnded>(0);
  REQUIRE(rounds.size() > 2);
  std::map<std::uint32_t, std::vector<std::uint64_t>> budgets;
  for (const auto& sent : driver.sent())
    if (const auto* message = sent.message.get<Start>())
      budgets[sent.message.round.value].push_back(message->budget);
  std::uint64_t steps = 0;
  for (const auto& round : rounds) {
    const auto& pass = budgets[round.round.value];
    for (const auto budget : pass) steps += budget;
    CHECK(round.active_cells == pass.size());
    CHECK(round.kept_cells == pass.size());
    CHECK(round.pulls_per_cell == pass.front());
    CHECK(round.steps == steps);
    CHECK(round.arrived == pass.size());
    CHECK(round.expected == pass.size());
  }
  CHECK(steps == 300);
  CHECK(driver.evaluations_declared() == 300);
  CHECK(driver.all<RecommendationObserved>().size() == rounds.size() + 1);
}

TEST_CASE("widths of POO and GPO are the theory's if those of every HCT are, HOO has none else") {
  const auto problem = flat(300);
  const auto facts = [&](const AlgorithmSpec& spec, const Changes& changes = {}) {
    return make_protocol(spec, &problem, 1, changes)->comparison_facts();
  };
  const auto theory = std::string("theory");
  for (const auto* spec : {&poo_algorithm(), &gpo_algorithm()}) {
    CHECK(facts(*spec).widths == Widths::practical);
    CHECK(facts(*spec, {{"constants", theory}}).widths == Widths::theory);
    CHECK(facts(*spec, {{"base", std::string("vhct")}}).widths == Widths::practical);
    CHECK(facts(*spec, {{"base", std::string("hoo")}}).widths == Widths::theory);
    CHECK(facts(*spec, {{"base", std::string("t-hoo")}}).widths == Widths::theory);
    CHECK(facts(*spec).random_recommendation);
    CHECK_FALSE(facts(*spec, {{"recommendation", std::string("last")}}).random_recommendation);
  }
  CHECK(facts(vpct_algorithm()).widths == Widths::practical);
}

TEST_CASE("POO's rate is given where the objective's smoothness is within the instances' range") {
  RunOutcome outcome;
  outcome.regret.simple = 0.1;
  // Garland: nu1 = 1.4, rho = 2^-1/2, d = 0: ln(n) / sqrt(n).
  const auto bound = [&](const AlgorithmSpec& spec, std::uint64_t budget, const Changes& changes) {
    const auto problem = make_problem("garland", 1, budget, Seed{1});
    const auto protocol = make_protocol(spec, &problem, 1, changes);
    return figure_named(*protocol, outcome, "simple regret").bound;
  };
  const auto rate = bound(poo_algorithm(), 10'000, {{"nu_max", 1.4}});
  REQUIRE(rate);
  CHECK(rate->kind == BoundKind::rate);
  CHECK(rate->strength == BoundStrength::order_only);
  CHECK(rate->value == Approx(0.092103403719761827).epsilon(1e-12));
  CHECK_FALSE(bound(poo_algorithm(), 10'000, {{"nu_max", 1.39}}));
  CHECK_FALSE(bound(poo_algorithm(), 10'000, {{"nu_max", 1.4}, {"rho_max", 0.7}}));
  CHECK(bound(poo_algorithm(), 10'000, {{"nu_max", 1.4}, {"rho_max", 0.71}}));
  CHECK(bound(poo_algorithm(), 2, {{"nu_max", 1.4}}));
  CHECK_FALSE(bound(poo_algorithm(), 1, {{"nu_max", 1.4}}));
  CHECK_FALSE(bound(gpo_algorithm(), 10'000, {{"nu_max", 1.4}}));
}

}  // namespace
}  // namespace posse::test_instance_roles
