// SPDX-License-Identifier: Apache-2.0
// Functional bandits over the network, against their allocations run pull by pull.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "actors/f_lcb/allocation/f_lcb.hpp"
#include "actors/f_lcb/allocation/rung_allocation.hpp"
#include "actors/f_lcb/allocation/simple_allocations.hpp"
#include "actors/f_lcb/protocol.hpp"
#include "core/network/nodes.hpp"
#include "tests/support/arms.hpp"
#include "tests/support/curve_arms.hpp"
#include "tests/support/faults.hpp"
#include "tests/support/problems.hpp"
#include "tests/support/role_driver.hpp"

namespace posse::test_functional_bandit {
namespace {

using test::random_arms;

Parameters with(const AlgorithmSpec& spec,
                const std::vector<std::pair<std::string, ParameterValue>>& changes = {}) {
  Parameters parameters = default_parameters(spec.parameters);
  for (const auto& [name, value] : changes) parameters.set(name, value);
  return parameters;
}

/// Each algorithm that makes one pull after the other, with what it does on its own.
struct Sequential {
  const AlgorithmSpec* spec;
  std::function<std::unique_ptr<Allocation>(const ArmSet&, Seed)> allocation;
};

std::vector<Sequential> sequential_algorithms() {
  return {
      {&f_lcb_algorithm(),
       [](const ArmSet& a, Seed) {
         return std::make_unique<FLcb>(a.size(), a.budget, FLcbOptions{});
       }},
      {&uniform_allocation_algorithm(),
       [](const ArmSet& a, Seed seed) {
         return std::make_unique<GreedyAllocation>(a.size(), a.budget, std::nullopt, seed);
       }},
      {&epsilon_greedy_algorithm(),
       [](const ArmSet& a, Seed seed) {
         return std::make_unique<GreedyAllocation>(a.size(), a.budget, 0.1, seed);
       }},
      {&successive_halving_algorithm(),
       [](const ArmSet& a, Seed) {
         return std::make_unique<RungAllocation>(
             a.size(), halving_of_budget(a.size(), a.budget), 1, Seed{1});
       }},
      {&hyperband_algorithm(),
       [](const ArmSet& a, Seed seed) {
         const auto longest = *hyperband_longest(2, 1, a.budget);
         return std::make_unique<RungAllocation>(
             a.size(), hyperband_to(2, 1, longest, a.budget), 1, seed);
       }},
  };
}

test::Run run_of(const AlgorithmSpec& spec,
                 const ArmSet& arms,
                 std::uint64_t seed,
                 Parameters parameters) {
  test::Run run(spec, parameters, Seed{seed}, arms);
  run.spec.network.links = {{.latency = ConstantDuration{Duration::seconds(0.1)}}};
  return run;
}

double column(const RunOutcome& outcome, std::size_t arm, std::uint64_t ArmRecord::*field) {
  return static_cast<double>(outcome.arms.arms[arm].*field);
}

}  // namespace

TEST_CASE("over the network every allocation makes the pulls that it makes on its own") {
  for (const auto& [spec, allocation] : sequential_algorithms()) {
    for (std::uint64_t trial = 0; trial < 40; ++trial) {
      INFO(spec->kind << " trial " << trial);
      const ArmSet arms = random_arms(trial, 90);
      const auto alone = allocation(arms, Seed{trial});
      // Totals are summed per instance of an arm, then over the instances.
      struct Instance {
        double regret = 0, bounds = 0, held = 0, value = 0, bound = 0;
        bool pulled = false;
      };
      std::uint64_t pulls = 0;
      std::map<std::pair<std::uint32_t, std::uint32_t>, Instance> instances;
      const auto made = test::play(*alone, arms, [&](const Pull& pull, const Optimizer& optimizer) {
        ++pulls;
        Instance& instance = instances[{pull.arm, pull.instance}];
        instance.regret += optimizer.value() - *arms.minimum();
        if (instance.pulled) {
          instance.held += instance.value - *arms.minimum();
          instance.bounds += instance.bound;
        }
        instance.pulled = true;
        instance.value = optimizer.value();
        instance.bound = optimizer.bound();
      });
      double regret = 0, bounds = 0, held = 0;
      for (const auto& [key, instance] : instances) {
        regret += instance.regret;
        held += instance.held;
        bounds += instance.bounds;
      }
      auto run = run_of(*spec, arms, trial, with(*spec));
      const auto result = run_serial(run.spec);
      const RunOutcome& out = result.outcome;
      REQUIRE(out.status == RunStatus::finished);
      CHECK(out.arms.pulls == pulls);
      CHECK(out.regret.evaluations == pulls);
      CHECK(out.complete_rounds == pulls);
      CHECK(out.regret.cumulative == regret);
      CHECK(out.arms.last_regret_at_selection == held);
      CHECK(out.arms.bounds_at_selection == bounds);
      REQUIRE(out.arms.answer);
      CHECK(*out.arms.answer == alone->answer());
      for (std::size_t i = 0; i < arms.size(); ++i)
        CHECK(column(out, i, &ArmRecord::pulls) == static_cast<double>(made[i]));
      // A pull is a round trip, 0.2 s, and 2 messages of 4 and 28 bytes.
      CHECK(out.finished_at.to_seconds() == Approx(0.2 * static_cast<double>(pulls)));
      CHECK(out.total(&TypeAccount::sent) == 2 * pulls);
      CHECK(out.total(&TypeAccount::bytes) == 32 * pulls);
      CHECK(test::broken_measurements(*run.protocol, out).empty());
    }
  }
}

TEST_CASE("faults change no decision of a functional bandit") {
  for (std::uint64_t number = 0; number < 100; ++number) {
    const ArmSet arms = random_arms(number, 60);
    const auto algorithms = sequential_algorithms();
    const auto& spec = *algorithms[number % algorithms.size()].spec;
    auto run = run_of(spec, arms, number, with(spec));
    test::check_faults_change_no_decision(run, number);
  }
}

TEST_CASE(
    "batched and asynchronous F-LCB spend the budget in less virtual time, never one arm twice at "
    "once") {
  for (std::uint64_t trial = 0; trial < 30; ++trial) {
    const ArmSet arms = random_arms(trial, 120);
    std::map<std::string, RunOutcome> out;
    for (const std::string order : {"sequential", "batched", "asynchronous"}) {
      auto run =
          run_of(f_lcb_algorithm(), arms, trial, with(f_lcb_algorithm(), {{"order", order}}));
      run.spec.compute.evaluation = ExponentialDuration{Duration::seconds(0.05), Duration{}};
      out[order] = run_serial(run.spec).outcome;
      INFO(order);
      REQUIRE(out[order].status == RunStatus::finished);
      CHECK(out[order].arms.pulls == 120);
      CHECK(test::broken_measurements(*run.protocol, out[order]).empty());
    }
    CHECK(out["sequential"].complete_rounds == 120);
    CHECK(out["batched"].complete_rounds ==
          static_cast<std::uint64_t>(std::ceil(120.0 / static_cast<double>(arms.size()))));
    CHECK(out["batched"].finished_at < out["sequential"].finished_at);
    CHECK(out["asynchronous"].finished_at < out["batched"].finished_at);
  }
}

TEST_CASE("ASHA with several workers spends its budget, whatever the order of replies") {
  for (std::uint64_t trial = 0; trial < 30; ++trial) {
    const ArmSet arms = random_arms(trial, 120);
    auto run = run_of(asha_algorithm(), arms, trial, with(asha_algorithm()));
    run.spec.compute.evaluation = ExponentialDuration{Duration::seconds(0.2), Duration{}};
    const auto out = run_serial(run.spec).outcome;
    REQUIRE(out.status == RunStatus::finished);
    CHECK(out.arms.pulls == 120);
    CHECK(run_windows(run.spec, 2).outcome.fingerprint == out.fingerprint);
    CHECK(test::broken_measurements(*run.protocol, out).empty());
  }
}

TEST_CASE("Lemma 1 and Theorem 4 are reported violated if an arm's bound is invalid") {
  const ArmSet arms = random_arms(4, 100'000);
  const auto with_epsilon =
      with(f_lcb_algorithm(), {{"epsilon", 0.4}, {"value", std::string("last")}});
  auto run = run_of(f_lcb_algorithm(), arms, 1, with_epsilon);
  const auto out = run_serial(run.spec).outcome;
  REQUIRE(out.status == RunStatus::finished);
  CHECK(out.arms.pulls < arms.budget);
  const auto lemma = test::figure_named(*run.protocol, out, "regret at selection, last values");
  REQUIRE(lemma.bound);
  CHECK(lemma.bound->strength == BoundStrength::always);
  CHECK(lemma.measured <= lemma.bound->value);
  const auto pulls = test::figure_named(*run.protocol, out, "evaluations");
  REQUIRE(pulls.bound);
  CHECK(pulls.bound->note.find("Theorem 4") != std::string::npos);
  CHECK(pulls.measured <= pulls.bound->value);
  const auto answer = test::figure_named(*run.protocol, out, "simple regret");
  REQUIRE(answer.bound);
  CHECK(answer.measured <= answer.bound->value);
  CHECK(answer.bound->value == 0.4);
  auto unfinished = out;
  unfinished.status = RunStatus::stalled;
  CHECK_FALSE(test::figure_named(*run.protocol, unfinished, "simple regret").bound);

  ArmSet lying = arms;  // bounds a thousand times too small, not the values
  for (auto& arm : lying.arms)
    arm.start = [start = arm.start](std::uint32_t copy) {
      std::shared_ptr<Optimizer> honest = start(copy);
      return std::make_unique<test::CurveOptimizer>([honest](double) {
        honest->step();
        return std::pair{honest->value(), honest->bound() / 1000};
      });
    };
  lying.budget = 500;
  auto false_run = run_of(f_lcb_algorithm(), lying, 1, with(f_lcb_algorithm()));
  const auto found = run_serial(false_run.spec).outcome;
  const auto broken = test::broken_measurements(*false_run.protocol, found);
  CHECK(broken == std::vector<std::string>{"regret at selection, smallest values"});

  for (auto& arm : lying.arms) arm.certificate = Certificate::guess;  // who only guesses can't lie
  auto guess = run_of(f_lcb_algorithm(), lying, 1, with(f_lcb_algorithm()));
  CHECK(test::broken_measurements(*guess.protocol, run_serial(guess.spec).outcome).empty());
}

TEST_CASE("a lost datagram stalls a sequential run, and the report names it") {
  const ArmSet arms = random_arms(2, 50);
  auto run = run_of(f_lcb_algorithm(), arms, 1, with(f_lcb_algorithm()));
  run.spec.network.transport = Transport::datagram;
  ListedLoss drop;
  drop.type = "Stepped";
  drop.round = Round{7};
  run.spec.network.drops = {drop};
  const auto out = run_serial(run.spec).outcome;
  CHECK(out.status == RunStatus::stalled);
  CHECK(out.report.find("agent has waited for Stepped of round 7 from arm-") != std::string::npos);
  CHECK(out.report.find("lost: Stepped of round 7") != std::string::npos);
}

TEST_CASE("a value that is NaN fails the run, and the report names the arm") {
  ArmSet arms = random_arms(2, 50);
  arms.arms[1] = test::curve_arm(0, [](double k) {
    return std::pair{k < 3 ? -1.0 : std::numeric_limits<double>::quiet_NaN(), 1.0};
  });
  arms.arms[1].name = "broken";
  auto run = run_of(f_lcb_algorithm(), arms, 1, with(f_lcb_algorithm()));
  const auto out = run_serial(run.spec).outcome;
  CHECK(out.status == RunStatus::failed);
  CHECK(out.report.find("arm-2 failed") != std::string::npos);
  CHECK(out.report.find("broken has the value nan") != std::string::npos);
  CHECK(out.report.find("after 3 pulls") != std::string::npos);
}

TEST_CASE("an arm's curve has its first pulls, its checkpoints and its last pull") {
  const ArmSet arms = random_arms(6, 1000);
  auto run = run_of(f_lcb_algorithm(), arms, 1, with(f_lcb_algorithm()));
  const auto result = run_serial(run.spec);
  for (std::uint32_t i = 0; i < arms.size(); ++i) {
    std::vector<std::uint64_t> at;
    for (const auto& p : result.arm_curves)
      if (p.arm == i) at.push_back(p.pulls);
    const auto total = result.outcome.arms.arms[i].pulls;
    std::vector<std::uint64_t> expected;
    for (std::size_t c = 0; checkpoint(c) <= total; ++c) expected.push_back(checkpoint(c));
    if (expected.back() != total) expected.push_back(total);
    CHECK(at == expected);
  }
  // Regret at each point of its curve is the sum so far: it ends with the whole.
  double last = 0;
  std::uint64_t evaluations = 0;
  for (const auto& p : result.regret_curve)
    if (p.metric == "cumulative_regret") {
      CHECK(p.evaluations > evaluations);
      evaluations = p.evaluations;
      last = p.value;
      CHECK(p.rounds == p.evaluations);
    }
  const auto lemma = std::find_if(result.regret_curve.rbegin(),
                                  result.regret_curve.rend(),
                                  [](const auto& p) { return p.metric == "bounds_at_selection"; });
  REQUIRE(lemma != result.regret_curve.rend());
  CHECK(lemma->value == result.outcome.arms.bounds_at_selection);
  CHECK(evaluations == 1000);
  CHECK(last == result.outcome.regret.cumulative);
}

TEST_CASE("the agent's nodes are called as the paper counts: agent, arm-1, …") {
  const Nodes nodes({{"agent", 1, false}, {"arm", 3, true, 1}});
  CHECK(nodes.name(NodeId{0}) == "agent");
  CHECK(nodes.name(NodeId{1}) == "arm-1");
  CHECK(nodes.name(NodeId{3}) == "arm-3");
  CHECK(nodes.select("arm-3").first == 3);
  CHECK(nodes.select("arm-3").last == 4);
  for (const auto* none : {"arm-0", "arm-4", "arm-01", "agent-0"})
    CHECK(nodes.select(none).first == nodes.select(none).last);
  CHECK(nodes.select("arm").last == 4);
}

}  // namespace posse::test_functional_bandit
