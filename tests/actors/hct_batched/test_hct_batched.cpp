// SPDX-License-Identifier: Apache-2.0
// Batched HCT: steps one at a time are those of the central learner; what the server learns from
// the uploads; sizes of batches; policies and faults.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "actors/common/local_means.hpp"
#include "actors/common/local_moments.hpp"
#include "actors/hct_batched/batches.hpp"
#include "actors/hct_batched/messages.hpp"
#include "actors/hct_batched/protocol.hpp"
#include "actors/learners/hct.hpp"
#include "core/learner/hct.hpp"
#include "tests/support/faults.hpp"
#include "tests/support/federations.hpp"

namespace posse::test_hct_batched {
namespace {

using namespace test;
using Changes = std::map<std::string, ParameterValue>;

TEST_CASE("batches: max(b0, floor((g - 1) t)) evaluations, cut at T") {
  const auto sizes = [](const BatchSizes& batches) {
    std::vector<std::uint64_t> all;
    for (std::uint64_t t = 0; t < batches.budget; t += all.back()) all.push_back(batches.next(t));
    CHECK(batches.count(1000) == all.size());
    CHECK(batches.count(3) == std::min<std::size_t>(all.size(), 4));
    return all;
  };
  using Sizes = std::vector<std::uint64_t>;
  CHECK(sizes({20, 1, 2}) == Sizes{1, 1, 2, 4, 8, 4});
  CHECK(sizes({20, 5, 2}) == Sizes{5, 5, 10});
  CHECK(sizes({7, 3, 1}) == Sizes{3, 3, 1});
  CHECK(sizes({20, 1, 1.5}) == Sizes{1, 1, 1, 1, 2, 3, 4, 6, 1});
  CHECK(sizes({1, 9, 1e9}) == Sizes{1});
  CHECK(sizes({30, 2, 1e9}) == Sizes{2, 28});
  for (const std::uint64_t budget : {2, 3, 4, 5, 1000, 1024, 1025, 1'000'000})
    CHECK(static_cast<double>(BatchSizes{budget, 1, 2}.count(100)) ==
          1 + std::ceil(std::log2(static_cast<double>(budget))));
  CHECK(BatchSizes{4'000'000'000, 1, 1}.count(1000) == 1001);
}

TEST_CASE("with batches of one evaluation the decisions are those of the central learner") {
  std::mt19937 random(91);
  for (int trial = 0; trial < 40; ++trial) {
    auto s = random_federation(random);
    s.budget = 2 + s.budget / 8;
    const auto problem = s.problem(static_cast<std::uint64_t>(trial));
    const bool variance = trial % 2 == 0;
    const auto changes = [&] {
      Changes all{{"nu1", s.nu1}, {"rho", s.rho}, {"c", s.c}, {"delta", s.delta}};
      if (trial % 3 == 0) all["ties"] = std::string("random");
      if (trial % 5 == 0) all["point"] = std::string("uniform");
      return all;
    }();
    auto steps = changes;
    steps["growth"] = 1.0;
    const auto central =
        make_protocol(variance ? vhct_algorithm() : hct_algorithm(), &problem, s.clients, changes);
    const auto batched = make_protocol(
        variance ? vhct_batched_algorithm() : hct_batched_algorithm(), &problem, s.clients, steps);
    RoleDriver a(*central, {.shuffled = true, .seed = static_cast<std::uint32_t>(trial)});
    RoleDriver b(*batched, {.shuffled = true, .seed = static_cast<std::uint32_t>(trial) + 1});
    a.run();
    b.run();
    INFO("trial " << trial << ": M " << s.clients << ", T " << s.budget);
    REQUIRE(b.all_finished());
    REQUIRE(pulls_made(a, s.clients) == pulls_made(b, s.clients));
    REQUIRE(a.all<RecommendationObserved>().back().point ==
            b.all<RecommendationObserved>().back().point);
    REQUIRE(a.all<RoundEnded>(0).size() == b.all<RoundEnded>(0).size());
  }
}

TEST_CASE("the server's learner gets the means over the clients, and the variance of such a mean") {
  std::mt19937 random(92);
  std::size_t cells = 0;
  for (int trial = 0; trial < 40; ++trial) {
    auto s = random_federation(random);
    s.budget += 50;
    const auto problem = s.problem(static_cast<std::uint64_t>(trial));
    const bool variance = trial % 2 == 0;
    const double growth = 1.2 + 0.4 * (trial % 5);
    const Partition partition(problem.domain(), PartitionKind::cyclic, s.arity);
    HctOptions options;
    options.constants = {.nu = s.nu1, .rho = s.rho, .c = s.c, .delta = s.delta};
    if (variance) options.range = 1;
    options.choices = {.seed = problem.seed(), .name = "learner"};
    Hct expected(partition, options);
    const auto protocol =
        make_protocol(variance ? vhct_batched_algorithm() : hct_batched_algorithm(),
                      &problem,
                      s.clients,
                      {{"nu1", s.nu1},
                       {"rho", s.rho},
                       {"c", s.c},
                       {"delta", s.delta},
                       {"arity", static_cast<std::int64_t>(s.arity)},
                       {"growth", growth}});
    RoleDriver driver(*protocol,
                      {.shuffled = true,
                       .duplicates = trial % 3 == 0 ? 0.3 : 0.0,
                       .seed = static_cast<std::uint32_t>(trial)});
    driver.run();
    REQUIRE(driver.all_finished());
    // The batches by the reference, which has every reward at hand.
    std::vector<RewardSource> sources;
    for (std::size_t m = 0; m < s.clients; ++m) sources.emplace_back(problem, m);
    std::vector<const PullPlan*> plans;
    for (const auto& sent : driver.sent())
      if (const auto* plan = sent.message.get<PullPlan>(); plan != nullptr && sent.to.value == 1)
        plans.push_back(plan);
    std::uint64_t steps = 0;
    for (const auto* plan : plans) {
      std::uint64_t size = 0;
      for (const auto& cell : plan->cells) size += cell.pulls;
      const auto batch = expected.next_batch(size);
      REQUIRE(batch.size() == plan->cells.size());
      std::vector<BatchRewards> rewards;
      for (std::size_t i = 0; i < batch.size(); ++i) {
        const auto& planned = plan->cells[i];
        REQUIRE(batch[i] == CellPulls{{planned.depth, planned.index}, planned.pulls});
        BatchRewards r;
        for (auto& source : sources) {
          double mean = 0;  // as deviations from the first, which the clients add, too
          double squares = 0;
          std::vector<double> all;
          source.pull_each(partition.point(batch[i].cell), batch[i].pulls, [&](double reward) {
            all.push_back(reward);
          });
          const auto n = static_cast<double>(all.size());
          for (const double reward : all) mean += reward - all[0];
          for (const double reward : all) squares += (reward - all[0]) * (reward - all[0]);
          squares = std::max(0.0, squares - mean * mean / n);
          r.mean += all[0] + mean / n;
          if (variance && all.size() > 1) r.squares += squares / (n - 1);
        }
        const auto m = static_cast<double>(s.clients);
        r.mean /= m;
        // n - 1 times the variance of a mean of M rewards: sum v_m / M^2.
        r.squares = static_cast<double>(batch[i].pulls - 1) * (r.squares / m) / m;
        rewards.push_back(r);
      }
      expected.tell_batch(rewards);
      steps += size;
      cells += batch.size();
    }
    REQUIRE(steps == s.budget);
    CHECK(driver.all<RecommendationObserved>().back().point ==
          partition.point(expected.recommend()));
    CHECK(driver.pulls(s.clients) == std::vector<std::uint64_t>(s.clients, s.budget));
    const auto outcome = driver.outcome(&problem);
    CHECK(broken_measurements(*protocol, outcome).empty());
    CHECK(within_forecast(*protocol, outcome));
    CHECK(figure_named(*protocol, outcome, "tree depth").measured == expected.tree_depth());
    CHECK(figure_named(*protocol, outcome, "tree cells").measured ==
          static_cast<double>(expected.tree_size()));
  }
  CHECK(cells > 1000);
}

TEST_CASE("doubling batches of HCT cost a small part of its regret and few rounds") {
  double central = 0;
  double batched = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const auto problem = make_problem("garland", 10, 1000, Seed{seed}, 0);
    const auto regret = [&](const AlgorithmSpec& spec) {
      const auto protocol =
          make_protocol(spec, &problem, 10, {{"nu1", 1.4}, {"rho", std::sqrt(0.5)}});
      RoleDriver driver(*protocol);
      driver.run();
      return driver.outcome(&problem).regret.cumulative;
    };
    central += regret(hct_central_algorithm());
    batched += regret(hct_batched_algorithm());
  }
  CHECK(batched < 1.15 * central);
}

TEST_CASE("at the ends of the parameters' ranges every budget is used and no bound is broken") {
  for (const std::uint64_t budget : {1, 2, 7, 60})
    for (const auto* spec : {&hct_batched_algorithm(), &vhct_batched_algorithm()})
      for (const double nu1 : {1e-100, 1.0, 1e100})
        for (const double rho : {1e-6, 1 - 1e-9})
          for (const double growth : {1.0, 1 + 1e-9, 1e9})
            for (const std::int64_t batch : {1, 1'000'000'000}) {
              const auto problem = make_problem(garland(), 3, budget, true);
              const auto protocol =
                  make_protocol(*spec,
                                &problem,
                                3,
                                {{"nu1", nu1}, {"rho", rho}, {"growth", growth}, {"batch", batch}});
              RoleDriver driver(*protocol);
              driver.run();
              INFO(spec->kind << ", T " << budget << ", nu1 " << nu1 << ", rho " << rho << ", g "
                              << growth << ", b0 " << batch);
              REQUIRE(driver.all_finished());
              REQUIRE(driver.pulls(3) == std::vector<std::uint64_t>(3, budget));
              REQUIRE(broken_measurements(*protocol, driver.outcome(&problem)).empty());
              REQUIRE(within_forecast(*protocol, driver.outcome(&problem)));
            }
}

TEST_CASE("a stalled batch names who is missing") {
  const auto problem = make_problem(garland(), 4, 500, true);
  const auto protocol = make_protocol(vhct_batched_algorithm(), &problem, 4);
  check_report_of_lost_answer(*protocol, "LocalMoments of batch 1", "PullPlan of batch 1");
}

TEST_CASE("a quorum closes batches on the means that arrived") {
  for (std::uint64_t number = 0; number < 20; ++number) {
    const auto problem = make_problem("garland", 5, 400, Seed{number}, 0.02);
    for (const auto* spec : {&hct_batched_algorithm(), &vhct_batched_algorithm()}) {
      Run run(*spec,
              default_parameters(spec->parameters),
              5,
              Seed{number},
              &problem,
              {.kind = PolicyKind::quorum, .quorum = 3});
      run.spec.network.links = {
          {.latency = ExponentialDuration{Duration::seconds(0.03), Duration::seconds(0.002)}}};
      const auto outcome = run_serial(run.spec).outcome;
      INFO(spec->kind << ", network " << number);
      REQUIRE(outcome.status == RunStatus::finished);
      std::uint64_t missing = 0;
      for (const auto& round : outcome.rounds) {
        CHECK(round.arrived >= 3);
        missing += round.expected - round.arrived;
      }
      CHECK(missing > 0);
      CHECK(outcome.rounds.back().steps == 400);
      for (const auto& measurement : run.protocol->measurements(outcome))
        CHECK_FALSE(violated(measurement));
    }
  }
}

TEST_CASE("more batches than a run may have are an error with a remedy") {
  const auto problem = make_problem(garland(), 2, 20'000'000, true);
  const auto& spec = hct_batched_algorithm();
  auto parameters = default_parameters(spec.parameters);
  const ProtocolContext context{.clients = 2, .seed = Seed{1}, .policy = {}, .problem = &problem};
  CHECK(spec.validate(parameters, context).empty());
  parameters.set("growth", 1.0);
  CHECK(spec.validate(parameters, context) ==
        std::vector<std::string>{
            "hct-batched: at most 10000000 batches, make batch or growth larger"});
  parameters.set("batch", std::int64_t{2});
  CHECK(spec.validate(parameters, context).empty());
}

}  // namespace
}  // namespace posse::test_hct_batched
