// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <cmath>
#include <set>

#include "actors/fed_ucb/bounds.hpp"
#include "actors/fed_ucb/messages.hpp"
#include "actors/fed_ucb/protocol.hpp"
#include "core/learner/arm_points.hpp"
#include "tests/support/problems.hpp"
#include "tests/support/role_driver.hpp"

namespace posse::test_fed_ucb {
namespace {

using namespace test;
using Changes = std::map<std::string, ParameterValue>;

/// What a run of either algorithm decides.
struct Trace {
  std::vector<std::vector<std::uint32_t>> active;  // by phase, the one that is cut included
  std::vector<std::uint32_t> best;                 // by complete phase
  std::vector<std::vector<std::pair<std::uint32_t, std::uint64_t>>> pulls;  // by client: arm, count
};

struct Definition {
  double sigma = 0.5;
  double sigma_c = 0.02;
  std::uint64_t f = 1;
  bool joining = false;
};

/// The algorithm step by step, in one place and without messages.
Trace by_definition(const Problem& problem, const ArmPoints& arms, const Definition& d) {
  const std::uint64_t budget = problem.budget();
  const double log_t = std::log(static_cast<double>(budget));
  std::vector<RewardSource> rewards;
  for (std::size_t m = 0; m < problem.clients(); ++m) rewards.emplace_back(problem, m);
  std::vector<std::vector<double>> sum(problem.clients(), std::vector<double>(arms.size()));
  std::vector<std::vector<double>> count = sum;

  Trace trace;
  trace.pulls.resize(problem.clients());
  std::vector<std::uint32_t> active;
  for (std::uint32_t k = 0; k < arms.size(); ++k) active.push_back(k);
  std::vector<std::size_t> g;  // clients that joined in phase 1, 2, …
  std::size_t clients = 0;
  std::uint64_t t = 0;
  while (t < budget) {
    std::size_t fresh = 0;
    if (!d.joining)
      fresh = g.empty() ? problem.clients() : 0;
    else if (active.size() > 1 || g.empty())
      fresh = g.size() < 62
                  ? std::min(problem.clients() - clients, std::size_t{1} << (g.size() + 1))
                  : problem.clients() - clients;
    g.push_back(fresh);
    clients += fresh;

    std::vector<std::uint32_t> numbers;
    for (const auto k : active) numbers.push_back(k + 1);
    trace.active.push_back(numbers);
    const auto play = [&](std::uint32_t k, std::uint64_t n) {
      for (std::size_t m = 0; m < clients; ++m) {
        for (std::uint64_t i = 0; i < n; ++i) sum[m][k] += rewards[m].pull(arms.point(k + 1), 1);
        count[m][k] += static_cast<double>(n);
        trace.pulls[m].push_back({k + 1, n});
      }
      t += n;
    };
    if (active.size() == 1) {
      play(active[0], budget - t);
      break;
    }
    bool complete = true;
    for (const auto k : active) {
      const std::uint64_t n = std::min(d.f, budget - t);
      if (n > 0) play(k, n);
      complete = complete && n == d.f;
    }
    if (!complete) break;

    double radius = 0;
    const auto p = static_cast<double>(g.size());
    const auto members = static_cast<double>(clients);
    if (d.joining) {
      double eta = 0;
      for (std::size_t q = 0; q < g.size(); ++q) {
        double pulls = 0;  // of a client that joined in phase q, per arm
        for (std::size_t j = q; j < g.size(); ++j) pulls += static_cast<double>(d.f);
        eta += static_cast<double>(g[q]) / pulls / (members * members);
      }
      radius = std::sqrt(d.sigma * d.sigma * eta * log_t) +
               std::sqrt(d.sigma_c * d.sigma_c * log_t / members);
    } else {
      radius = std::sqrt(4 * d.sigma * d.sigma * log_t / (members * p * static_cast<double>(d.f)));
    }
    std::vector<double> mean(arms.size());
    double largest = -1e300;
    std::uint32_t best = 0;
    for (const auto k : active) {
      for (std::size_t m = 0; m < clients; ++m) mean[k] += sum[m][k] / count[m][k];
      mean[k] /= members;
      if (mean[k] > largest) {
        largest = mean[k];
        best = k;
      }
    }
    trace.best.push_back(best + 1);
    std::vector<std::uint32_t> kept;
    for (const auto k : active)
      if (mean[k] + radius >= largest - radius) kept.push_back(k);
    active = kept;
  }
  return trace;
}

Trace trace_of(const RoleDriver& driver, const ArmPoints& arms, std::size_t clients) {
  std::map<std::vector<double>, std::uint32_t> number;
  for (std::uint32_t k = 1; k <= arms.size(); ++k) number[arms.point(k)] = k;
  Trace trace;
  std::set<std::uint32_t> seen;
  for (const auto& sent : driver.sent())
    if (const auto* plan = sent.message.get<ActiveArms>())
      if (seen.insert(plan->phase).second) trace.active.push_back(plan->arms);
  for (const auto& e : driver.all<RoundEnded>(0))
    trace.best.push_back(static_cast<std::uint32_t>(e.best->index));
  trace.pulls.resize(clients);
  for (const auto& p : driver.all<PullsObserved>())
    trace.pulls[p.client].push_back({number.at(p.point), p.count});
  return trace;
}

/// Garlands with shifted peaks, coin-flip rewards.
Problem garlands(std::uint32_t clients, std::uint64_t budget, std::uint64_t seed = 1) {
  std::vector<std::shared_ptr<const Objective>> locals;
  for (std::uint32_t m = 0; m < clients; ++m) locals.push_back(garland(0.01 * (m % 3) - 0.01));
  return make_problem(std::move(locals), budget, true, seed);
}

void check_against_definition(const AlgorithmSpec& spec,
                              const Problem& problem,
                              const Definition& definition,
                              const Changes& changes = {}) {
  const auto clients = static_cast<std::uint32_t>(problem.clients());
  const auto protocol = make_protocol(spec, &problem, clients, changes);
  RoleDriver driver(*protocol, {.shuffled = true, .duplicates = 0.3, .seed = 3});
  driver.run();
  auto parameters = default_parameters(spec.parameters);
  for (const auto& [name, value] : changes) parameters.set(name, value);
  const ArmPoints arms(problem.domain(), arm_options(parameters), problem.seed());
  const Trace expected = by_definition(problem, arms, definition);
  const Trace actual = trace_of(driver, arms, clients);
  CHECK(actual.active == expected.active);
  CHECK(actual.best == expected.best);
  CHECK(actual.pulls == expected.pulls);
  CHECK(broken_measurements(*protocol, driver.outcome(&problem)).empty());
}

TEST_CASE("Fed1-UCB decides as its definition does, step by step", "[fed_ucb]") {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const auto problem = garlands(4, 30'000, seed);
    check_against_definition(fed1_ucb_algorithm(), problem, {.f = 103});  // 10 ln 30000 = 103.09
  }
  const auto problem = garlands(3, 5000);
  check_against_definition(fed1_ucb_algorithm(),
                           problem,
                           {.sigma = 0.05, .f = 7},
                           {{"sigma", 0.05},
                            {"pulls_per_phase", std::int64_t{7}},
                            {"arms_per_dimension", std::int64_t{50}}});
}

TEST_CASE("Fed2-UCB decides as its definition does, step by step", "[fed_ucb]") {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const auto problem = garlands(20, 30'000, seed);
    check_against_definition(fed2_ucb_algorithm(), problem, {.f = 100, .joining = true});
  }
  const auto problem = garlands(5, 2000);
  check_against_definition(
      fed2_ucb_algorithm(),
      problem,
      {.sigma = 0.05, .sigma_c = 0, .f = 10, .joining = true},
      {{"sigma", 0.05}, {"sigma_c", 0.0}, {"pulls_per_phase", std::int64_t{10}}});
}

TEST_CASE("the tests against the definition reach elimination, a last arm and a cut phase",
          "[fed_ucb]") {
  const auto problem = garlands(4, 30'000);
  const ArmPoints arms(problem.domain(), {}, problem.seed());
  const auto cut = by_definition(problem, arms, {.f = 103});
  CHECK(cut.active.front().size() == 20);
  CHECK(cut.active[1].size() < 20);
  CHECK(cut.active.back().size() > 1);
  const auto small = garlands(3, 5000);
  const ArmPoints fifty(small.domain(), {.per_dimension = 50}, small.seed());
  CHECK(by_definition(small, fifty, {.sigma = 0.05, .f = 7}).active.back().size() == 1);
}

TEST_CASE("clients of Fed2-UCB join two, four, eight … a phase and stop with the others",
          "[fed_ucb]") {
  const auto problem = garlands(9, 8500);
  const auto protocol = make_protocol(fed2_ucb_algorithm(), &problem, 9, {{"sigma", 1e6}});
  RoleDriver driver(*protocol);
  driver.run();
  // Nothing is ever dropped: phases of 2000 steps, the last one cut at 500.
  CHECK(driver.pulls(9) ==
        std::vector<std::uint64_t>{8500, 8500, 6500, 6500, 6500, 6500, 4500, 4500, 4500});
  std::vector<std::uint32_t> answers;
  for (const auto& e : driver.all<RoundEnded>(0)) answers.push_back(e.arrived);
  CHECK(answers == std::vector<std::uint32_t>{2, 6, 9, 9});
  CHECK(driver.all_finished());
  CHECK(figure_named(*protocol, driver.outcome(), "clients joined").measured == 9);

  // With a budget that ends in the first phase the others never play, and nobody waits for them.
  const auto small = garlands(9, 100);
  const auto first = make_protocol(fed2_ucb_algorithm(), &small, 9);
  RoleDriver short_run(*first);
  short_run.run();
  CHECK(short_run.pulls(9) == std::vector<std::uint64_t>{100, 100, 0, 0, 0, 0, 0, 0, 0});
  for (std::uint32_t node = 0; node < 10; ++node) CHECK_FALSE(short_run.role(node).waiting());
}

TEST_CASE("the radii of Fed1-UCB and Fed2-UCB follow their formulas", "[fed_ucb]") {
  using namespace theory;
  // 10 ln 10^6 = 138.155; sqrt(ln(10^6) / (5 · 138)) = 0.14150 for sigma = 1/2.
  CHECK(fed1_ucb_pulls(1'000'000) == 138);
  CHECK(fed1_ucb_pulls(1) == 1);
  CHECK(fed1_ucb_radius(0.5, 1'000'000, 5, 138) == Approx(0.141502).epsilon(1e-5));
  // g = 2, 4; f = 100: eta = (2/200 + 4/100) / 36 = 0.05/36;
  // sqrt(0.25 eta ln 10^6) + sqrt(0.0004 ln(10^6) / 6) = 0.069258 + 0.030349.
  const std::vector<std::uint64_t> joined{2, 4};
  CHECK(fed2_ucb_radius(0.5, 0.02, 1'000'000, joined, 2, 100) == Approx(0.099607).epsilon(1e-4));
  const std::vector<std::uint64_t> then_nobody{2, 4, 0, 0};
  CHECK(fed2_ucb_radius(0.5, 0.02, 1'000'000, joined, 4, 100) ==
        fed2_ucb_radius(0.5, 0.02, 1'000'000, then_nobody, 4, 100));
  CHECK(fed2_ucb_joined(100, 1) == 2);
  CHECK(fed2_ucb_joined(100, 5) == 62);
  CHECK(fed2_ucb_joined(100, 6) == 100);
  CHECK(fed2_ucb_joined(100, 4'000'000'000u) == 100);
  CHECK(fed_ucb_phases_ceiling(99, 20, 5) == 0);
  CHECK(fed_ucb_phases_ceiling(100, 20, 5) == 1);
  CHECK(fed_ucb_phases_ceiling(119, 20, 5) == 2);
  CHECK(fed_ucb_phases_ceiling(120, 20, 5) == 3);
  CHECK(fed_ucb_phases_ceiling(1000, 1, 5) == 0);
}

TEST_CASE("the messages of Fed1-UCB and Fed2-UCB have the stated sizes", "[fed_ucb]") {
  for (const std::size_t n : {0, 1, 20}) {
    CHECK(Payload::make(ActiveArms{1, 2, std::vector<std::uint32_t>(n)}).size_bytes() ==
          12 + 4 * n);
    CHECK(Payload::make(Join{1, 2, 3, std::vector<std::uint32_t>(n)}).size_bytes() == 16 + 4 * n);
    CHECK(Payload::make(ArmMeans{1, std::vector<double>(n)}).size_bytes() == 8 + 8 * n);
  }
}

TEST_CASE("Fed1-UCB and Fed2-UCB end cleanly whatever the budget, clients and arms", "[fed_ucb]") {
  for (const auto* spec : {&fed1_ucb_algorithm(), &fed2_ucb_algorithm()})
    for (const std::uint32_t clients : {1, 2, 7})
      for (const std::int64_t arms : {1, 2, 3, 20})
        for (const std::uint64_t budget : {1, 2, 3, 5, 40, 41, 300, 2000, 2001}) {
          const auto problem = garlands(clients, budget);
          const auto protocol =
              make_protocol(*spec, &problem, clients, {{"arms_per_dimension", arms}});
          test::Run run(*spec, default_parameters(spec->parameters), clients, Seed{1}, &problem);
          run.spec.protocol = protocol.get();
          run.spec.network.links = {{.latency = ConstantDuration{Duration::seconds(0.01)}}};
          const auto outcome = run_serial(run.spec).outcome;
          INFO(spec->kind << " " << clients << " clients, " << arms << " arms, T = " << budget);
          REQUIRE(outcome.status == RunStatus::finished);
          CHECK(outcome.regret.max_evaluations == budget);
          if (spec == &fed1_ucb_algorithm()) CHECK(outcome.regret.min_evaluations == budget);
          CHECK(broken_measurements(*protocol, outcome).empty());
          const auto forecast = protocol->forecast();
          CHECK(static_cast<double>(outcome.rounds.size()) <= forecast.rounds);
          CHECK(static_cast<double>(outcome.total(&TypeAccount::sent)) <= forecast.messages);
          CHECK(static_cast<double>(outcome.total(&TypeAccount::bytes)) <= forecast.bytes);
          CHECK(static_cast<double>(outcome.regret.evaluations) <= forecast.evaluations);
        }
}

TEST_CASE("Fed1-UCB's server goes on without late clients if its policy says so", "[fed_ucb]") {
  const auto problem = garlands(5, 20'000);
  const auto protocol = make_protocol(
      fed1_ucb_algorithm(), &problem, 5, {}, {.kind = PolicyKind::quorum, .quorum = 3});
  RoleDriver driver(*protocol, {.shuffled = true, .duplicates = 0.2, .losses = 0.05, .seed = 11});
  driver.run();
  const auto phases = driver.all<RoundEnded>(0);
  REQUIRE(phases.size() > 2);
  for (const auto& phase : phases) CHECK(phase.arrived == 3);
  for (const auto pulls : driver.pulls(5)) CHECK(pulls <= 20'000);
}

TEST_CASE("too large a budget is refused by both federated UCBs", "[fed_ucb]") {
  const auto problem = make_problem(garland(), 2, 0xffffffff);
  for (const auto* spec : {&fed1_ucb_algorithm(), &fed2_ucb_algorithm()}) {
    const auto problems =
        spec->validate(default_parameters(spec->parameters), {2, Seed{1}, {}, &problem});
    REQUIRE(problems.size() == 1);
    CHECK(problems[0].find("4294967294") != std::string::npos);
  }
}

TEST_CASE("no arm does better than the floor under the regret", "[fed_ucb]") {
  const auto problem = garlands(3, 3000);
  const auto protocol = make_protocol(fed1_ucb_algorithm(), &problem, 3);
  RoleDriver driver(*protocol);
  driver.run();
  auto outcome = driver.outcome(&problem);
  const auto regret = figure_named(*protocol, outcome, "cumulative regret");
  REQUIRE(regret.bound);
  CHECK(regret.bound->is_lower);
  CHECK(regret.bound->value > 0);
  CHECK_FALSE(violated(regret));
  outcome.regret.cumulative = regret.bound->value * 0.99;
  CHECK(violated(figure_named(*protocol, outcome, "cumulative regret")));
}

}  // namespace
}  // namespace posse::test_fed_ucb
