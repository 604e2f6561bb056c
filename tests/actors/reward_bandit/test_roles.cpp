// SPDX-License-Identifier: Apache-2.0
// The agent and the arms of a stochastic bandit by hand: what each answers to every message, and
// what it reports.
#include <catch2/catch.hpp>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "actors/common/restarted.hpp"
#include "actors/common/star.hpp"
#include "actors/reward_bandit/agent.hpp"
#include "actors/reward_bandit/arm.hpp"
#include "actors/reward_bandit/messages.hpp"
#include "actors/reward_bandit/policy/rucb_median.hpp"
#include "actors/reward_bandit/policy/sgd_ucb_smom.hpp"
#include "actors/reward_bandit/protocol.hpp"
#include "tests/support/arms.hpp"
#include "tests/support/problems.hpp"
#include "tests/support/reactions.hpp"
#include "tests/support/role_driver.hpp"

namespace posse::test_reward_roles {
namespace {

using namespace test;

/// Arms whose rewards all equal their means.
ArmSet exact_arms(const std::vector<double>& means, std::uint64_t budget) {
  ArmSet set;
  set.budget = budget;
  for (const double mean : means) {
    Arm arm;
    arm.name = "exact";
    arm.minimum = -mean;
    arm.reward = [mean](std::uint64_t) { return mean; };
    set.arms.push_back(arm);
  }
  return set;
}

void check_request(const Reaction& reaction,
                   std::uint32_t node,
                   std::uint32_t round,
                   std::uint32_t count) {
  REQUIRE(reaction.effects().size() == 1);
  const auto& send = std::get<SendEffect>(reaction.effects()[0]);
  CHECK(send.first == NodeId{node});
  CHECK(send.count == 1);
  CHECK(send.round == Round{round});
  REQUIRE(send.payload.get<Draw>() != nullptr);
  CHECK(send.payload.get<Draw>()->count == count);
}

Rewards rewards(std::vector<double> numbers) {
  Rewards reply;
  reply.rewards.numbers = std::move(numbers);
  return reply;
}

void check_round(const Reaction& reaction, const RoundEnded& expected) {
  const auto ended = observed<RoundEnded>(reaction);
  REQUIRE(ended.size() == 1);
  CHECK(ended[0].round == expected.round);
  CHECK(ended[0].best == expected.best);
  CHECK(ended[0].active_cells == expected.active_cells);
  CHECK(ended[0].pulls_per_cell == expected.pulls_per_cell);
  CHECK(ended[0].steps == expected.steps);
  CHECK(ended[0].arrived == 1);
  CHECK(ended[0].expected == 1);
}

TEST_CASE("the agent asks one arm at a time and reports each reward, answer and round") {
  auto set = exact_arms({0.25, 1, 0.5}, 8);
  set.arms[2].minimum.reset();  // unknown
  RewardAgent agent(set, std::make_unique<RucbMedian>(3, 8, RucbOptions{}));
  const auto started = start(agent, 0);
  check_request(started, 1, 1, 2);  // two rewards of every arm first
  REQUIRE(observed<RoundBegan>(started).size() == 1);
  CHECK(observed<RoundBegan>(started)[0].round == Round{1});
  check_waiting(agent, "Rewards of round 1", 1, {NodeId{1}});

  CHECK(is_empty(tell(agent, 0, 2, 1, rewards({1, 1}))));  // not asked
  CHECK(is_empty(tell(agent, 0, 1, 2, rewards({1, 1}))));  // no such round
  CHECK(is_empty(tell(agent, 0, 2, 0, Restarted{})));
  check_request(tell(agent, 0, 1, 0, Restarted{}), 1, 1, 2);  // asks again

  const auto first = tell(agent, 0, 1, 1, rewards({0.25, 0.25}));
  const auto pulled = observed<ArmPulled>(first);
  REQUIRE(pulled.size() == 2);
  for (std::uint64_t k = 1; k <= 2; ++k) {
    CHECK(pulled[k - 1].arm == 0);
    CHECK(pulled[k - 1].instance == 0);
    CHECK(pulled[k - 1].pulls == k);
    CHECK(pulled[k - 1].value == -0.25);
    CHECK(pulled[k - 1].bound == 0);
  }
  REQUIRE(observed<ArmAnswered>(first).size() == 1);
  CHECK(observed<ArmAnswered>(first)[0].arm == 0);
  check_round(
      first,
      {.round = Round{1}, .best = Cell{0, 1}, .active_cells = 3, .pulls_per_cell = 2, .steps = 2});
  check_request(first, 2, 2, 2);
  CHECK(is_empty(tell(agent, 0, 1, 1, rewards({0.25, 0.25}))));  // a copy
  CHECK(is_empty(tell(agent, 0, 1, 0, Restarted{})));            // nothing is under way there

  const auto second = tell(agent, 0, 2, 2, rewards({1, 1}));
  REQUIRE(observed<ArmAnswered>(second).size() == 1);
  CHECK(observed<ArmAnswered>(second)[0].arm == 1);
  check_round(
      second,
      {.round = Round{2}, .best = Cell{0, 2}, .active_cells = 3, .pulls_per_cell = 2, .steps = 4});
  const auto third = tell(agent, 0, 3, 3, rewards({0.5, 0.5}));
  REQUIRE(observed<ArmPulled>(third).size() == 2);
  CHECK(observed<ArmPulled>(third)[1].value == 0);
  CHECK(observed<ArmAnswered>(third).empty());  // as before
  check_request(third, 2, 4, 1);                // the bonus is constant: the best arm alone
  const auto fourth = tell(agent, 0, 2, 4, rewards({1}));
  REQUIRE(observed<ArmPulled>(fourth).size() == 1);
  CHECK(observed<ArmPulled>(fourth)[0].pulls == 3);
  check_round(
      fourth,
      {.round = Round{4}, .best = Cell{0, 2}, .active_cells = 3, .pulls_per_cell = 1, .steps = 7});
  check_request(fourth, 2, 5, 1);
  const auto last = tell(agent, 0, 2, 5, rewards({1}));
  REQUIRE(last.effects().size() == 1);
  CHECK(std::holds_alternative<FinishEffect>(last.effects()[0]));
  CHECK(observed<RoundBegan>(last).empty());
  CHECK(observed<RoundEnded>(last).size() == 1);
  CHECK_FALSE(agent.waiting());
  CHECK(is_empty(tell(agent, 0, 2, 0, Restarted{})));
}

TEST_CASE("an arm draws its rewards in order, answers each round once and says that it restarted") {
  ArmSet set = exact_arms({0, 0}, 10);
  set.arms[1].reward = [](std::uint64_t number) { return 10.0 + static_cast<double>(number); };
  const auto ask = [](RewardArm& arm, std::uint32_t round, std::uint32_t count) {
    return tell(arm, 2, 0, round, Draw{count});
  };
  const auto check =
      [](const Reaction& reaction, std::uint32_t round, const std::vector<double>& expected) {
        REQUIRE(reaction.effects().size() == 2);
        CHECK(std::get<EvaluateEffect>(reaction.effects()[0]).count == expected.size());
        const auto& send = std::get<SendEffect>(reaction.effects()[1]);
        CHECK(send.first == kAgent);
        CHECK(send.round == Round{round});
        REQUIRE(send.payload.get<Rewards>() != nullptr);
        CHECK(send.payload.get<Rewards>()->rewards.numbers == expected);
      };
  RewardArm arm(set, 1);
  check(ask(arm, 3, 2), 3, {10, 11});
  CHECK(is_empty(ask(arm, 3, 2)));  // a copy
  CHECK(is_empty(ask(arm, 2, 1)));  // an old one
  check(ask(arm, 4, 1), 4, {12});
  CHECK(is_empty(restart(arm, 2)));  // it has kept its state

  RewardArm anew(set, 1);
  anew.go_on_after(5);
  for (const bool first : {true, false}) {
    const auto reaction = restart(anew, 2);
    REQUIRE(reaction.effects().size() == (first ? 1U : 0U));
    if (!first) continue;
    const auto& send = std::get<SendEffect>(reaction.effects()[0]);
    CHECK(send.first == kAgent);
    CHECK(send.round == Round{});
    CHECK(send.payload.get<Restarted>() != nullptr);
  }
  check(ask(anew, 4, 2), 4, {15, 16});
}

TEST_CASE("every parameter reaches the policy: decisions are those of the policy alone") {
  const auto set = test::arms("rewards", {}, 3, 2000);
  const auto check = [&](const AlgorithmSpec& spec,
                         const std::map<std::string, ParameterValue>& changes,
                         RewardPolicy& alone) {
    INFO(spec.kind);
    Parameters parameters = default_parameters(spec.parameters);
    for (const auto& [name, value] : changes) parameters.set(name, value);
    const test::Run run(spec, parameters, Seed{3}, *set);
    test::RoleDriver driver(*run.protocol);
    driver.run();
    std::vector<std::uint32_t> arms;
    for (const auto& pull : driver.all<ArmPulled>()) arms.push_back(pull.arm);
    std::vector<std::uint32_t> expected;
    while (const auto draw = alone.next()) {
      std::vector<double> drawn;
      for (std::uint32_t j = 0; j < draw->count; ++j) {
        drawn.push_back(set->arms[draw->arm].reward(alone.pulls(draw->arm) + j));
        expected.push_back(draw->arm);
      }
      alone.take(*draw, drawn);
    }
    CHECK(arms == expected);
  };
  RucbMedian rucb(set->size(), 2000, {1, 0.01});
  check(rucb_median_algorithm(), {{"epsilon", 1.0}, {"v", 0.01}}, rucb);
  const std::map<std::string, ParameterValue> changes{{"m", std::int64_t{2}},
                                                      {"n", std::int64_t{3}},
                                                      {"theta", 0.5},
                                                      {"clip", 0.4},
                                                      {"step", 0.3},
                                                      {"c", 0.7}};
  SmomOptions options{
      .m = 2, .n = 3, .theta = 0.5, .clip = 0.4, .step = 0.3, .c = 0.7, .index = {}};
  options.index = SmomIndex::estimate;
  SgdUcbSmom smom(set->size(), 2000, options, Seed{3});
  check(sgd_ucb_smom_algorithm(), changes, smom);
  options.index = SmomIndex::functional;
  SgdUcbSmom functional(set->size(), 2000, options, Seed{3});
  check(sgd_ucb_smom_f_algorithm(), changes, functional);
  options.index = SmomIndex::printed;
  SgdUcbSmom printed(set->size(), 2000, options, Seed{3});
  auto as_printed = changes;
  as_printed["index"] = std::string("printed");
  check(sgd_ucb_smom_f_algorithm(), as_printed, printed);
}

TEST_CASE("decisions: one per arm, then batches until the budget is spent") {
  SmomOptions options;
  options.m = 1;
  options.n = 2;  // 3 rewards first, then 6 at a time
  const auto decisions = [&](std::uint64_t budget) {
    return SgdUcbSmom::plan_of(2, budget, options).decisions();
  };
  CHECK(decisions(6) == 2);
  CHECK(decisions(7) == 3);
  CHECK(decisions(12) == 3);
  CHECK(decisions(13) == 4);
  CHECK(RucbMedian::plan_of(3, 20).decisions() == 3 + 14);
}

TEST_CASE("a stochastic bandit's counts are checked once the run has finished") {
  const auto set = exact_arms({0.25, 1, 0.5}, 20);
  const test::Run run(rucb_median_algorithm(),
                      default_parameters(rucb_median_algorithm().parameters),
                      Seed{1},
                      set);
  RunOutcome outcome;
  outcome.status = RunStatus::finished;
  outcome.arms.pulls = 20;
  outcome.complete_rounds = 17;
  outcome.arms.answer = 2;
  outcome.regret.cumulative = 3.5;
  const auto measured = [&](const char* name) {
    return test::figure_named(*run.protocol, outcome, name);
  };
  CHECK(measured("evaluations").measured == 20);
  CHECK(measured("evaluations").bound->value == 20);
  CHECK(measured("rounds").measured == 17);
  CHECK(measured("rounds").bound->value == 17);
  CHECK(measured("messages").bound->value == 34);
  CHECK(measured("payload up").bound->value == 160);
  CHECK(measured("payload down").bound->value == 68);
  CHECK(measured("rank of the answer").measured == 2);
  CHECK(run.protocol->measurements(outcome).size() == 6);  // no regrets without a maximum
  outcome.regret.simple = 0.5;
  CHECK(run.protocol->measurements(outcome).size() == 8);
  CHECK(measured("simple regret").measured == 0.5);
  CHECK(measured("cumulative regret").measured == 3.5);
  outcome.arms.answer.reset();
  CHECK(run.protocol->measurements(outcome).size() == 7);

  TypeAccount restarted;
  restarted.type = "Restarted";
  restarted.sent = 1;
  outcome.accounts.push_back(restarted);  // the agent may have asked again
  CHECK(measured("evaluations").bound);
  CHECK_FALSE(measured("messages").bound);
  outcome.accounts.clear();
  outcome.status = RunStatus::stalled;
  CHECK_FALSE(measured("evaluations").bound);
  CHECK_FALSE(measured("rounds").bound);
  CHECK_FALSE(measured("messages").bound);
}

TEST_CASE(
    "a stochastic bandit is one agent and numbered arms, of which an arm may lose its state") {
  const auto set = exact_arms({0.25, 1}, 20);
  const test::Run run(rucb_median_algorithm(),
                      default_parameters(rucb_median_algorithm().parameters),
                      Seed{1},
                      set);
  const auto groups = run.protocol->groups();
  REQUIRE(groups.size() == 2);
  CHECK(groups[0].name == "agent");
  CHECK(groups[0].size == 1);
  CHECK_FALSE(groups[0].numbered);
  CHECK(groups[1].name == "arm");
  CHECK(groups[1].size == 2);
  CHECK(groups[1].numbered);
  CHECK(groups[1].first_number == 1);
  CHECK_FALSE(run.protocol->can_lose_state(NodeId{0}));
  CHECK(run.protocol->can_lose_state(NodeId{2}));
  const auto anew = run.protocol->make_role_anew(NodeId{2}, 3);
  CHECK(restart(*anew, 2).effects().size() == 1);
}

}  // namespace
}  // namespace posse::test_reward_roles
