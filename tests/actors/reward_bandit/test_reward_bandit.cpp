// SPDX-License-Identifier: Apache-2.0
// Stochastic bandits over the network, against their policies run alone.
#include <algorithm>
#include <catch2/catch.hpp>
#include <limits>

#include "actors/f_lcb/protocol.hpp"
#include "actors/reward_bandit/messages.hpp"
#include "actors/reward_bandit/policy/rucb_median.hpp"
#include "actors/reward_bandit/policy/sgd_ucb_smom.hpp"
#include "actors/reward_bandit/protocol.hpp"
#include "tests/support/arms.hpp"
#include "tests/support/curve_arms.hpp"
#include "tests/support/faults.hpp"
#include "tests/support/problems.hpp"
#include "tests/support/role_driver.hpp"

namespace posse::test_reward_bandit {
namespace {

struct Bandit {
  const AlgorithmSpec* spec;
  std::function<std::unique_ptr<RewardPolicy>(const ArmSet&, Seed)> policy;
};

std::vector<Bandit> bandits() {
  return {{&sgd_ucb_smom_algorithm(),
           [](const ArmSet& a, Seed seed) {
             return std::make_unique<SgdUcbSmom>(a.size(), a.budget, SmomOptions{}, seed);
           }},
          {&sgd_ucb_smom_f_algorithm(),
           [](const ArmSet& a, Seed seed) {
             SmomOptions options;
             options.c = 1;
             options.index = SmomIndex::functional;
             return std::make_unique<SgdUcbSmom>(a.size(), a.budget, options, seed);
           }},
          {&rucb_median_algorithm(), [](const ArmSet& a, Seed) {
             return std::make_unique<RucbMedian>(a.size(), a.budget, RucbOptions{0, 0.9});
           }}};
}

test::Run run_of(const AlgorithmSpec& spec, const ArmSet& arms, std::uint64_t seed) {
  test::Run run(spec, default_parameters(spec.parameters), Seed{seed}, arms);
  run.spec.network.links = {{.latency = ConstantDuration{Duration::seconds(0.1)}}};
  return run;
}

std::vector<std::string> problems(const AlgorithmSpec& spec, const ArmSet& arms) {
  ProtocolContext context;
  context.arms = &arms;
  return spec.validate(default_parameters(spec.parameters), context);
}

}  // namespace

TEST_CASE("a request has 4 bytes, a reply 8 per reward, and they read back as they were") {
  const Payload draw = Payload::make(Draw{6});
  CHECK(draw.size_bytes() == 4);
  CHECK(draw.values() == 1);
  Rewards rewards;
  rewards.rewards.numbers = {0.5, -1e300, 0, 3, 4, 5};
  const Payload reply = Payload::make(rewards);
  CHECK(reply.size_bytes() == 48);
  CHECK(reply.values() == 6);
  std::vector<std::byte> bytes;
  reply.type().encode(reply, bytes);
  CHECK(bytes.size() == 48);
  const auto read = reply.type().decode(bytes);
  REQUIRE(read);
  CHECK(read->get<Rewards>()->rewards.numbers == rewards.rewards.numbers);
}

TEST_CASE("over the network every policy draws the rewards that it draws on its own") {
  for (const auto& [spec, policy] : bandits()) {
    for (std::uint64_t trial = 0; trial < 10; ++trial) {
      INFO(spec->kind << " trial " << trial);
      const std::uint64_t budget = 400 + trial;  // the last decision may be a short one
      const auto arms = test::arms("rewards", {}, trial, budget);
      const auto alone = policy(*arms, Seed{trial});
      std::uint64_t decisions = 0;
      double regret = 0;
      while (const auto draw = alone->next()) {
        ++decisions;
        std::vector<double> rewards;
        for (std::uint32_t j = 0; j < draw->count; ++j) {
          rewards.push_back(arms->arms[draw->arm].reward(alone->pulls(draw->arm) + j));
          regret += 0.9 + *arms->arms[draw->arm].minimum;
        }
        alone->take(*draw, rewards);
      }
      auto run = run_of(*spec, *arms, trial);
      run.spec.compute.evaluation = ConstantDuration{Duration::seconds(0.01)};
      const auto result = run_serial(run.spec);
      const RunOutcome& out = result.outcome;
      REQUIRE(out.status == RunStatus::finished);
      CHECK(out.arms.pulls == budget);
      CHECK(out.regret.evaluations == budget);
      CHECK(out.complete_rounds == decisions);
      CHECK(out.regret.cumulative == Approx(regret).epsilon(1e-12));
      REQUIRE(out.arms.answer);
      CHECK(*out.arms.answer == alone->answer());
      CHECK(*out.regret.simple == Approx(0.9 + *arms->arms[alone->answer()].minimum).margin(1e-12));
      for (std::uint32_t i = 0; i < arms->size(); ++i)
        CHECK(out.arms.arms[i].pulls == alone->pulls(i));
      // A round trip per decision, and 10 ms per reward.
      CHECK(out.finished_at.to_seconds() ==
            Approx(0.2 * static_cast<double>(decisions) + 0.01 * static_cast<double>(budget)));
      CHECK(out.total(&TypeAccount::sent) == 2 * decisions);
      CHECK(out.total(&TypeAccount::bytes) == 4 * decisions + 8 * budget);
      const Forecast forecast = run.protocol->forecast();
      CHECK(forecast.rounds == static_cast<double>(decisions));
      CHECK(forecast.messages == 2 * static_cast<double>(decisions));
      CHECK(forecast.bytes == static_cast<double>(4 * decisions + 8 * budget));
      CHECK(test::broken_measurements(*run.protocol, out).empty());
    }
  }
}

TEST_CASE("simple regret along the run is that of the arm answered so far") {
  ArmSet arms;
  arms.budget = 60;
  for (const double mean : {0.25, 1.0, 0.5}) {
    Arm arm;
    arm.name = "exact";
    arm.minimum = -mean;
    arm.reward = [mean](std::uint64_t) { return mean; };
    arms.arms.push_back(arm);
  }
  auto run = run_of(rucb_median_algorithm(), arms, 1);
  const auto result = run_serial(run.spec);
  std::map<std::uint64_t, double> simple;
  for (const auto& p : result.regret_curve)
    if (p.metric == "simple_regret") simple[p.evaluations] = p.value;
  CHECK(simple.at(1) == 0.75);  // only the first arm is known
  CHECK(simple.at(2) == 0.75);
  CHECK(simple.at(5) == 0);  // its two rewards show the second arm's mean
  CHECK(simple.at(60) == 0);
  // Two rewards each; then the best arm alone, for the bonus is constant.
  CHECK(result.outcome.regret.cumulative == 2 * 0.75 + 2 * 0.5);
}

TEST_CASE("faults change no decision of a stochastic bandit") {
  for (std::uint64_t number = 0; number < 60; ++number) {
    const auto arms = test::arms("rewards", {}, number, 150);
    auto run = run_of(*bandits()[number % 3].spec, *arms, number);
    test::check_faults_change_no_decision(run, number);
  }
}

TEST_CASE("a lost reply stalls a stochastic bandit, and the report names it") {
  const auto arms = test::arms("rewards", {}, 1, 100);
  auto run = run_of(sgd_ucb_smom_algorithm(), *arms, 1);
  run.spec.network.transport = Transport::datagram;
  ListedLoss drop;
  drop.type = "Rewards";
  drop.round = Round{7};
  run.spec.network.drops = {drop};
  const auto out = run_serial(run.spec).outcome;
  CHECK(out.status == RunStatus::stalled);
  CHECK(out.report.find("agent has waited for Rewards of round 7 from arm-7") != std::string::npos);
}

TEST_CASE("a reward that is NaN fails the run, and the report names the arm") {
  ArmSet arms = *test::arms("rewards", {}, 1, 100);
  arms.arms[2].reward = [](std::uint64_t k) {
    return k < 2 ? 0.0 : std::numeric_limits<double>::infinity();
  };
  auto run = run_of(sgd_ucb_smom_algorithm(), arms, 1);
  const auto out = run_serial(run.spec).outcome;
  CHECK(out.status == RunStatus::failed);
  CHECK(out.report.find("mu3: reward number 3 is inf") != std::string::npos);
}

TEST_CASE("functional bandits refuse rewards, stochastic ones refuse functions and small budgets") {
  const auto rewards = test::arms("rewards", {}, 1, 100);
  ArmSet functions = test::random_arms(1, 100);
  for (const auto* spec : {&f_lcb_algorithm(),
                           &uniform_allocation_algorithm(),
                           &epsilon_greedy_algorithm(),
                           &successive_halving_algorithm(),
                           &hyperband_algorithm(),
                           &asha_algorithm()}) {
    INFO(spec->kind);
    const auto said = problems(*spec, *rewards);
    REQUIRE(said.size() == 1);
    CHECK(said[0].find("arm mu1 gives rewards and has no function to minimise") == 0);
    CHECK(problems(*spec, functions).empty());
  }
  for (const auto& bandit : bandits()) {
    INFO(bandit.spec->kind);
    CHECK(problems(*bandit.spec, *rewards).empty());
    const auto said = problems(*bandit.spec, functions);
    REQUIRE(said.size() == 1);
    CHECK(said[0].find("arm curve is a function to minimise and gives no rewards") == 0);
  }
  const auto few = test::arms("rewards", {}, 1, 29);
  CHECK(problems(sgd_ucb_smom_algorithm(), *few) ==
        std::vector<std::string>{"budget.pulls = 29 is too small: each of the 10 arms needs 3 "
                                 "rewards to start from; allowed: at least 30"});
  CHECK(problems(rucb_median_algorithm(), *few).empty());
}

}  // namespace posse::test_reward_bandit
