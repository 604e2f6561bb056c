// SPDX-License-Identifier: Apache-2.0
// Functional bandits over the network by hand: what a run with three arms measures, with its
// bounds, and what the agent and an arm answer to each message.
//
// The arms: constant values 2, 1.5, 1, equal to their minima; g(k) = 2, 1, 1/2 divided by 2^{k-1}.
// F-LCB pulls 0 1 2 0 1 2 2 2 2 2 (worked out in allocation/test_f_lcb_reference.cpp).
#include <catch2/catch.hpp>
#include <cmath>

#include "actors/common/restarted.hpp"
#include "actors/common/star.hpp"
#include "actors/f_lcb/agent.hpp"
#include "actors/f_lcb/allocation/f_lcb.hpp"
#include "actors/f_lcb/arm.hpp"
#include "actors/f_lcb/messages.hpp"
#include "actors/f_lcb/protocol.hpp"
#include "core/base/hash.hpp"
#include "tests/support/curve_arms.hpp"
#include "tests/support/problems.hpp"
#include "tests/support/role_driver.hpp"

namespace posse::test_f_lcb_numbers {
namespace {

Arm halving(double value, double first) {
  return test::curve_arm(value, [=](double k) {
    return std::pair{value, std::ldexp(first, 1 - static_cast<int>(k))};
  });
}

ArmSet three_arms(std::uint64_t budget) {
  ArmSet set;
  set.budget = budget;
  set.arms = {halving(2, 2), halving(1.5, 1), halving(1, 0.5)};
  return set;
}

struct Ran {
  test::Run run;
  RunOutcome outcome;
  Measurement measurement(std::string_view name) const {
    return test::figure_named(*run.protocol, outcome, name);
  }
  bool has(std::string_view name) const {
    for (const auto& m : run.protocol->measurements(outcome))
      if (m.name == name) return true;
    return false;
  }
};

Ran run_f_lcb(const ArmSet& arms,
              const std::vector<std::pair<std::string, ParameterValue>>& changes = {}) {
  Parameters parameters = default_parameters(f_lcb_algorithm().parameters);
  for (const auto& [name, value] : changes) parameters.set(name, value);
  Ran ran{test::Run(f_lcb_algorithm(), parameters, Seed{1}, arms), {}};
  ran.outcome = run_serial(ran.run.spec).outcome;
  REQUIRE(ran.outcome.status == RunStatus::finished);
  CHECK(test::broken_measurements(*ran.run.protocol, ran.outcome).empty());
  return ran;
}

/// The effects of one message on a role.
std::vector<SendEffect> sends(Role& role, NodeId node, const Message& message) {
  Reaction reaction(Time{}, node);
  role.on_message(message, reaction);
  std::vector<SendEffect> all;
  for (const auto& effect : reaction.effects())
    if (const auto* send = std::get_if<SendEffect>(&effect)) all.push_back(*send);
  return all;
}

}  // namespace

TEST_CASE("a sequential run by hand: regrets, Lemma 1's sum, traffic and forecast") {
  const ArmSet arms = three_arms(10);
  const auto ran = run_f_lcb(arms);
  CHECK(ran.outcome.arms.arms[0].pulls == 2);
  CHECK(ran.outcome.arms.arms[1].pulls == 2);
  CHECK(ran.outcome.arms.arms[2].pulls == 6);
  CHECK(ran.measurement("cumulative regret").measured == 2 * 1 + 2 * 0.5);
  CHECK(ran.measurement("simple regret").measured == 0);
  CHECK_FALSE(ran.measurement("simple regret").bound);
  CHECK(ran.measurement("rank of the answer").measured == 1);
  // Selections of 0, 1, 2, 2, 2, 2, 2 after the first pulls.
  const auto lemma = ran.measurement("regret at selection, smallest values");
  CHECK(lemma.measured == 1.5);
  REQUIRE(lemma.bound);
  CHECK(lemma.bound->value == Approx(2 + 1 + 0.5 + 0.25 + 0.125 + 0.0625 + 0.03125).epsilon(1e-8));
  CHECK(lemma.bound->kind == BoundKind::exact);
  CHECK(lemma.bound->strength == BoundStrength::always);
  const auto pulls = ran.measurement("evaluations");
  CHECK(pulls.measured == 10);
  CHECK(pulls.bound->value == 10);
  CHECK(pulls.bound->note == "T");
  CHECK(ran.measurement("rounds").measured == 10);
  CHECK(ran.measurement("rounds").bound->value == 10);
  CHECK(ran.measurement("messages").measured == 20);
  CHECK(ran.outcome.total(&TypeAccount::bytes) == 10 * (4 + 28));
  const Forecast forecast = ran.run.protocol->forecast();
  CHECK(forecast.evaluations == 10);
  CHECK(forecast.rounds == 10);
  CHECK(forecast.messages == 20);
  CHECK(forecast.bytes == 320);
}

TEST_CASE("best function identification by hand: 6 pulls, at most 9 by Theorem 4, within epsilon") {
  const ArmSet arms = three_arms(100);
  const auto ran = run_f_lcb(arms, {{"epsilon", 0.5}});
  CHECK(ran.outcome.arms.pulls == 6);
  CHECK(ran.outcome.arms.answer == 2);
  CHECK(ran.measurement("evaluations").bound->value == 9);
  CHECK(ran.measurement("evaluations").bound->note.find("Theorem 4") == 0);
  REQUIRE(ran.measurement("simple regret").bound);
  CHECK(ran.measurement("simple regret").bound->value == 0.5);
  CHECK(ran.measurement("simple regret").bound->strength == BoundStrength::always);
  // The ceiling counts where it is at most T.
  const auto equal = run_f_lcb(three_arms(9), {{"epsilon", 0.5}}).measurement("evaluations");
  CHECK(equal.bound->value == 9);
  CHECK(equal.bound->note.find("Theorem 4") == 0);
  const auto shorter = run_f_lcb(three_arms(8), {{"epsilon", 0.5}}).measurement("evaluations");
  CHECK(shorter.bound->value == 8);
  CHECK(shorter.bound->note == "T");
  // The budget ended the search before its stop test: no guarantee.
  const ArmSet six = three_arms(6);
  CHECK_FALSE(run_f_lcb(six, {{"epsilon", 0.5}}).measurement("simple regret").bound);

  ArmSet uncertain = three_arms(100);
  uncertain.arms[1].certificate = Certificate::likely;
  const auto likely = run_f_lcb(uncertain, {{"epsilon", 0.5}});
  CHECK(likely.measurement("simple regret").bound->strength == BoundStrength::with_probability);
  CHECK(likely.measurement("evaluations").bound->strength == BoundStrength::with_probability);
  uncertain.arms[0].certificate = Certificate::guess;
  const auto guess = run_f_lcb(uncertain, {{"epsilon", 0.5}});
  CHECK_FALSE(guess.measurement("simple regret").bound);
  CHECK(guess.measurement("evaluations").bound->note == "T");
  CHECK(guess.measurement("regret at selection, smallest values").bound->kind ==
        BoundKind::does_not_apply);
}

TEST_CASE("batches and asynchronous pulls by hand: pulls of each arm, rounds, measurements") {
  const ArmSet arms = three_arms(10);
  // 0 1 | 2 0 | 1 2 | 2 0 | 2 1.
  const auto batched =
      run_f_lcb(arms, {{"order", std::string("batched")}, {"parallel", std::int64_t{2}}});
  CHECK(batched.outcome.arms.arms[0].pulls == 3);
  CHECK(batched.outcome.arms.arms[1].pulls == 3);
  CHECK(batched.outcome.arms.arms[2].pulls == 4);
  CHECK(batched.measurement("cumulative regret").measured == 3 + 1.5);
  CHECK(batched.measurement("rounds").measured == 5);
  CHECK(batched.measurement("rounds").bound->value == 10);
  CHECK_FALSE(batched.has("regret at selection, smallest values"));
  // All links alike: 0 1 2 0 1 2 0 2 1 2.
  const auto free =
      run_f_lcb(arms, {{"order", std::string("asynchronous")}, {"parallel", std::int64_t{2}}});
  CHECK(free.outcome.arms.pulls == 10);
  // parallel = auto: all arms at once.
  const auto all = run_f_lcb(arms, {{"order", std::string("batched")}});
  CHECK(all.measurement("rounds").measured == 4);
  CHECK(all.outcome.arms.arms[0].pulls == 3);
  CHECK(all.outcome.arms.arms[1].pulls == 3);
  CHECK(all.outcome.arms.arms[2].pulls == 4);  // the last batch is the lowest LCB alone
}

TEST_CASE("a run with the last value by hand, with its own name for the regret at selection") {
  // Arm 0: values 1, 3, 3, …; arm 1: 4; g = 2. LCBs -1, 2; then 1, 2 forever.
  ArmSet arms;
  arms.budget = 6;
  arms.arms = {test::curve_arm(1,
                               [](double k) {
                                 return std::pair{k == 1 ? 1.0 : 3.0, 2.0};
                               }),
               test::curve_arm(4, [](double) {
                 return std::pair{4.0, 2.0};
               })};
  const auto ran = run_f_lcb(arms, {{"value", std::string("last")}});
  CHECK(ran.outcome.arms.arms[0].pulls == 5);
  CHECK(ran.outcome.arms.arms[1].pulls == 1);
  CHECK(ran.measurement("cumulative regret").measured == 0 + 3 + 4 * 2);
  CHECK(ran.measurement("regret at selection, last values").measured == 0 + 3 * 2);
  CHECK(ran.outcome.arms.best_regret_at_selection == 0);
  CHECK(ran.outcome.arms.bounds_at_selection == 4 * 2);
  CHECK(ran.outcome.arms.answer == 0);
}

TEST_CASE(
    "an arm answers each request once, steps each instance for itself, and says it restarted") {
  std::vector<std::uint32_t> started;
  ArmSet set = three_arms(10);
  set.arms[1].start = [&started, start = set.arms[1].start](std::uint32_t instance) {
    started.push_back(instance);
    return start(instance);
  };
  const NodeId node = node_of_arm(1);
  FunctionalArm arm(set, 1);
  const auto ask = [&](FunctionalArm& role, std::uint32_t round, std::uint32_t instance) {
    return sends(role, node, {kAgent, Round{round}, Payload::make(Step{instance})});
  };
  const auto check =
      [&](const std::vector<SendEffect>& sent, std::uint32_t round, const Stepped& expected) {
        REQUIRE(sent.size() == 1);
        CHECK(sent[0].first == kAgent);
        CHECK(sent[0].round == Round{round});
        const auto* stepped = sent[0].payload.get<Stepped>();
        REQUIRE(stepped != nullptr);
        CHECK(stepped->instance == expected.instance);
        CHECK(stepped->pulls == expected.pulls);
        CHECK(stepped->value == expected.value);
        CHECK(stepped->bound == expected.bound);
      };
  check(ask(arm, 3, 0), 3, {0, 1, 1.5, 1});
  CHECK(ask(arm, 3, 0).empty());  // a duplicate
  CHECK(ask(arm, 2, 0).empty());  // an old one
  check(ask(arm, 3, 4), 3, {4, 1, 1.5, 1});
  check(ask(arm, 5, 0), 5, {0, 2, 1.5, 0.5});
  check(ask(arm, 6, 4), 6, {4, 2, 1.5, 0.5});
  CHECK(started == std::vector<std::uint32_t>{0, 4});

  // Made anew after 4 evaluations: it says so once, and its optimizers have another noise.
  FunctionalArm anew(set, 1);
  anew.go_on_after(4);
  for (const bool first : {true, false}) {
    Reaction reaction(Time{}, node);
    anew.on_restart(reaction);
    REQUIRE(reaction.effects().size() == (first ? 1U : 0U));
    if (first) CHECK(std::get<SendEffect>(reaction.effects()[0]).payload.get<Restarted>());
  }
  started.clear();
  check(ask(anew, 7, 4), 7, {4, 1, 1.5, 1});
  CHECK(started == std::vector<std::uint32_t>{static_cast<std::uint32_t>(hash_combine(4, 5))});
}

TEST_CASE(
    "the agent counts each reply once, repeats what is under way, and says whom it waits for") {
  const ArmSet set = three_arms(10);
  FunctionalAgent agent(
      set, std::make_unique<FLcb>(3, 10, FLcbOptions{.order = PullOrder::batched, .parallel = 2}));
  Reaction begin(Time{}, kAgent);
  agent.on_start(begin);
  const auto targets = [](const std::vector<SendEffect>& sent) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> all;  // node, round
    for (const auto& send : sent) {
      CHECK(send.payload.get<Step>());
      all.push_back({send.first.value, send.round.value});
    }
    return all;
  };
  using Targets = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
  std::vector<SendEffect> first;
  for (const auto& effect : begin.effects()) first.push_back(std::get<SendEffect>(effect));
  CHECK(targets(first) == Targets{{1, 1}, {2, 1}});
  REQUIRE(agent.waiting());
  CHECK(agent.waiting()->from == std::vector<NodeId>{NodeId{1}, NodeId{2}});
  const auto tell = [&](std::uint32_t node, std::uint32_t round, auto what) {
    return targets(sends(agent, kAgent, {NodeId{node}, Round{round}, Payload::make(what)}));
  };
  CHECK(tell(1, 2, Stepped{0, 1, 2, 2}).empty());  // no such round
  CHECK(tell(1, 1, Stepped{1, 1, 2, 2}).empty());  // no such instance
  CHECK(tell(3, 1, Stepped{0, 1, 1, 1}).empty());  // not asked
  CHECK(tell(2, 1, Stepped{0, 1, 1.5, 1}).empty());
  CHECK(agent.waiting()->from == std::vector<NodeId>{NodeId{1}});
  CHECK(tell(2, 1, Stepped{0, 1, 1.5, 1}).empty());  // a duplicate
  CHECK(tell(2, 0, Restarted{}).empty());            // nothing is under way there
  CHECK(tell(1, 0, Restarted{}) == Targets{{1, 1}});
  CHECK(tell(1, 1, Stepped{0, 1, 2, 2}) == Targets{{3, 2}, {1, 2}});
  CHECK(tell(1, 1, Stepped{0, 1, 2, 2}).empty());
  CHECK(agent.waiting()->from == std::vector<NodeId>{NodeId{3}, NodeId{1}});
}

TEST_CASE("an agent with pulls of several rounds under way waits for those of the oldest round") {
  const ArmSet set = three_arms(10);
  FunctionalAgent agent(
      set,
      std::make_unique<FLcb>(3, 10, FLcbOptions{.order = PullOrder::asynchronous, .parallel = 2}));
  Reaction begin(Time{}, kAgent);
  agent.on_start(begin);
  // Arm 1 answers, arm 3 is asked in round 2; arm 2 of round 1 is missing.
  CHECK(sends(agent, kAgent, {NodeId{1}, Round{1}, Payload::make(Stepped{0, 1, 2, 2})}).size() ==
        1);
  REQUIRE(agent.waiting());
  CHECK(agent.waiting()->round == Round{1});
  CHECK(agent.waiting()->from == std::vector<NodeId>{NodeId{2}});
}

}  // namespace posse::test_f_lcb_numbers
