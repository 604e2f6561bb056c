// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <cmath>

#include "actors/blin/bounds.hpp"
#include "actors/blin/messages.hpp"
#include "actors/blin/protocol.hpp"
#include "tests/support/problems.hpp"
#include "tests/support/role_driver.hpp"

namespace posse::test_blin {
namespace {

using namespace test;
using Changes = std::map<std::string, ParameterValue>;

/// A cube of the scaled domain: its corner in units of its edge, and that edge 2^-level.
struct Cube {
  std::vector<std::uint64_t> corner;
  std::uint32_t level = 0;
};

struct Trace {
  std::vector<std::vector<std::uint64_t>> rounds;  // cubes, pulls, kept, steps of complete batches
  std::vector<std::vector<double>> best;           // centre of the best cube
  std::vector<std::vector<std::vector<double>>> pulls;  // by client, one point per pull
};

std::vector<double> centre(const Box& box, const Cube& cube) {
  std::vector<double> x;
  for (std::size_t j = 0; j < box.dimension(); ++j)
    x.push_back(box.low[j] + (static_cast<double>(cube.corner[j]) + 0.5) *
                                 std::exp2(-static_cast<double>(cube.level)) * box.width(j));
  return x;
}

/// The algorithm step by step, in one place and without messages or a partition.
Trace by_definition(const Problem& problem, double lipschitz, std::uint64_t sharing) {
  const std::uint64_t budget = problem.budget();
  const std::size_t d = problem.domain().dimension();
  std::vector<RewardSource> rewards;
  for (std::size_t m = 0; m < problem.clients(); ++m) rewards.emplace_back(problem, m);
  Trace trace;
  trace.pulls.resize(problem.clients());
  const auto pull = [&](std::size_t m, const Cube& cube) {
    trace.pulls[m].push_back(centre(problem.domain(), cube));
    return rewards[m].pull(trace.pulls[m].back(), 1);
  };
  std::vector<Cube> active{{std::vector<std::uint64_t>(d), 0}};
  std::uint64_t t = 0;
  for (int batch = 1; t < budget; ++batch) {
    const double r = std::pow(2.0, 1 - batch);
    auto n = static_cast<std::uint64_t>(std::max(
        1.0, std::ceil(16 * std::log(static_cast<double>(budget)) / std::pow(lipschitz * r, 2))));
    n = (n + sharing - 1) / sharing;
    if (t + n * active.size() > budget) {
      for (std::uint64_t left = budget - t, i = 0; i < left; ++i)
        for (std::size_t m = 0; m < problem.clients(); ++m) pull(m, active[i % active.size()]);
      break;
    }
    std::vector<double> mean(active.size());
    for (std::size_t m = 0; m < problem.clients(); ++m)
      for (std::size_t i = 0; i < active.size(); ++i) {
        double sum = 0;
        for (std::uint64_t k = 0; k < n; ++k) sum += pull(m, active[i]);
        mean[i] += sum / static_cast<double>(n);
      }
    t += n * active.size();
    std::size_t best = 0;
    for (std::size_t i = 0; i < active.size(); ++i) {
      mean[i] /= static_cast<double>(problem.clients());
      if (mean[i] > mean[best]) best = i;
    }
    std::vector<Cube> next;
    std::uint64_t kept = 0;
    for (std::size_t i = 0; i < active.size(); ++i) {
      if (mean[best] - mean[i] > 4 * lipschitz * r) continue;
      ++kept;
      for (std::uint64_t c = 0; c < std::uint64_t{1} << d; ++c) {
        Cube child{active[i].corner, active[i].level + 1};
        for (std::size_t j = 0; j < d; ++j) child.corner[j] = 2 * child.corner[j] + ((c >> j) & 1);
        next.push_back(child);
      }
    }
    trace.best.push_back(centre(problem.domain(), active[best]));
    trace.rounds.push_back({active.size(), n, kept, t});
    active = std::move(next);
  }
  return trace;
}

Problem two_bowls(std::uint64_t budget, std::uint64_t seed) {
  return make_problem({bowl(0.2, 0.3), bowl(0.3, 0.1), bowl(0.25, 0.2)}, budget, true, seed);
}

Problem ten_garlands(std::uint64_t budget, std::uint64_t seed) {
  return make_problem(garland(-0.02), 10, budget, true, seed);
}

void check_against_definition(const Problem& problem, double lipschitz, bool share) {
  const auto clients = static_cast<std::uint32_t>(problem.clients());
  const auto protocol = make_protocol(
      blin_algorithm(), &problem, clients, {{"lipschitz", lipschitz}, {"share_pulls", share}});
  RoleDriver driver(*protocol, {.shuffled = true, .duplicates = 0.3, .seed = 3});
  driver.run();
  REQUIRE(driver.all_finished());
  const Trace expected = by_definition(problem, lipschitz, share ? clients : 1);
  std::vector<std::vector<std::uint64_t>> rounds;
  for (const auto& e : driver.all<RoundEnded>(0))
    rounds.push_back({e.active_cells, e.pulls_per_cell, e.kept_cells, e.steps});
  CHECK(rounds == expected.rounds);
  auto recommended = driver.all<RecommendationObserved>(0);
  REQUIRE(recommended.size() == expected.best.size() + 1);
  for (std::size_t q = 0; q < expected.best.size(); ++q)
    CHECK(recommended[q + 1].point == expected.best[q]);
  std::vector<std::vector<std::vector<double>>> pulls(clients);
  for (const auto& p : driver.all<PullsObserved>())
    pulls[p.client].insert(pulls[p.client].end(), p.count, p.point);
  CHECK(pulls == expected.pulls);
  CHECK(broken_measurements(*protocol, driver.outcome(&problem)).empty());
}

TEST_CASE("BLiN decides as its definition does, step by step", "[blin][long]") {
  for (const std::uint64_t seed : {1, 2}) {
    const auto flat = two_bowls(20'000, seed);
    for (const bool share : {false, true}) {
      check_against_definition(flat, 1, share);
      check_against_definition(flat, 4, share);
    }
    check_against_definition(make_problem(garland(0.01), 2, 30'000, true, seed), 3, false);
    check_against_definition(ten_garlands(15'000, seed), 1, true);
    check_against_definition(ten_garlands(15'000, seed), 0.3, true);
  }
}

TEST_CASE("the tests against BLiN's definition eliminate cubes", "[blin]") {
  for (const double lipschitz : {1.0, 0.3}) {
    const auto trace = by_definition(ten_garlands(15'000, 1), lipschitz, 10);
    CHECK(trace.rounds.back()[0] > trace.rounds.back()[2]);
  }
}

TEST_CASE("BLiN's pulls, ceiling on batches and threshold follow their formulas", "[blin]") {
  using namespace theory;
  // 16 ln 10^4 = 147.365.
  const BlinParameters p{.horizon = 10'000, .dimension = 1};
  CHECK(blin_pulls(p, 1) == 148);
  CHECK(blin_pulls(p, 2) == 590);
  CHECK(blin_pulls(p, 3) == 2358);
  CHECK(blin_threshold(p, 3) == 1);
  // 148 + 2 · 590 = 1328, + 2 · 2358 = 6044, + 2 · 9432 > 10000.
  CHECK(blin_batches_ceiling(p) == 3);
  const BlinParameters shared{.horizon = 10'000, .dimension = 2, .lipschitz = 2, .sharing = 10};
  CHECK(blin_pulls(shared, 1) == 4);   // 36.84
  CHECK(blin_pulls(shared, 2) == 15);  // 147.4
  CHECK(blin_threshold(shared, 1) == 8);
  CHECK(blin_pulls({.horizon = 1}, 1) == 1);  // ln 1 = 0
  CHECK(blin_batches_ceiling({.horizon = 1}) == 1);
  CHECK(blin_batches_ceiling({.horizon = 2}) == 0);  // 16 ln 2 = 11.1 pulls
  // Factors 1, 8 · 1/8, 8 · 1/16, 8 · 1/32.
  const std::vector<BlinBatch> batches{{1, 20}, {5, 30}, {6, 40}, {7, 80}};
  CHECK(blin_certificate(p, batches) == 20 + 30 + 20 + 20);
}

TEST_CASE("the steepest slope is found along the axes through the maximum", "[blin]") {
  const auto problem = make_problem(bowl(0.25, 0.5), 1, 10);
  // 1 - |x - a|²/2: the mean slope between 63/64 and 1 is 0.742.
  CHECK(theory::steepest_slope(problem, 65) == Approx(127.0 / 128 - 0.25));
}

TEST_CASE("BLiN's regret keeps its certificate where the objective is Lipschitz", "[blin][long]") {
  const auto hill = std::make_shared<FunctionObjective>(
      Box::cube(1, 2, 4),
      [](std::span<const double> x) { return 0.9 - 0.2 * (x[0] - 2.6) * (x[0] - 2.6); },
      0.9,
      std::vector<double>{2.6});
  for (const std::uint64_t seed : {1, 2, 3}) {
    // |f'| <= 0.4 · 1.4 on [2, 4], twice that on [0, 1].
    const auto problem = make_problem(hill, 20, 50'000, true, seed);
    const auto protocol =
        make_protocol(blin_algorithm(), &problem, 20, {{"lipschitz", 1.12}, {"share_pulls", true}});
    RoleDriver driver(*protocol);
    driver.run();
    const auto outcome = driver.outcome(&problem);
    const auto regret = figure_named(*protocol, outcome, "cumulative regret");
    REQUIRE(regret.bound);
    CHECK(regret.bound->kind == BoundKind::derived);
    CHECK(regret.measured <= regret.bound->value);
    CHECK(regret.bound->value < 50'000);
  }
  const auto cusps = make_problem(garland(), 2, 3000);
  const auto protocol = make_protocol(blin_algorithm(), &cusps, 2);
  RoleDriver driver(*protocol);
  driver.run();
  const auto regret = figure_named(*protocol, driver.outcome(&cusps), "cumulative regret");
  CHECK(regret.bound->kind == BoundKind::does_not_apply);
  CHECK(regret.bound->note.find("slope") != std::string::npos);
}

TEST_CASE("BLiN's messages have the stated sizes", "[blin]") {
  for (const std::size_t n : {0, 1, 64}) {
    CHECK(Payload::make(Batch{1, std::vector<std::uint64_t>(n)}).size_bytes() == 8 + 8 * n);
    CHECK(Payload::make(BatchMeans{1, std::vector<double>(n)}).size_bytes() == 8 + 8 * n);
  }
}

TEST_CASE("BLiN ends cleanly whatever the budget and the clients", "[blin]") {
  for (const std::uint32_t clients : {1, 2, 7})
    for (const std::uint64_t budget : {1, 2, 3, 5, 40, 111, 112, 300, 5000, 5001})
      for (const double lipschitz : {0.5, 3.0, 1e6})
        for (const bool share : {false, true}) {
          const auto problem =
              make_problem(std::vector(clients, bowl(0.6, 0.2)), budget, true, budget);
          const auto protocol = make_protocol(blin_algorithm(),
                                              &problem,
                                              clients,
                                              {{"lipschitz", lipschitz}, {"share_pulls", share}});
          RoleDriver driver(*protocol);
          driver.run();
          INFO(clients << " clients, T = " << budget << ", L = " << lipschitz);
          REQUIRE(driver.all_finished());
          CHECK(driver.pulls(clients) == std::vector<std::uint64_t>(clients, budget));
          CHECK(driver.evaluations_declared() == clients * budget);
          const auto outcome = driver.outcome(&problem);
          CHECK(broken_measurements(*protocol, outcome).empty());
          const auto forecast = protocol->forecast();
          CHECK(static_cast<double>(outcome.rounds.size()) <= forecast.rounds);
          CHECK(static_cast<double>(outcome.total(&TypeAccount::sent)) <= forecast.messages);
          CHECK(static_cast<double>(outcome.total(&TypeAccount::bytes)) <= forecast.bytes);
          CHECK(static_cast<double>(outcome.regret.evaluations) <= forecast.evaluations);
        }
}

TEST_CASE("at the partition's depth limit BLiN plays what is left, round robin", "[blin]") {
  // In five dimensions twelve halvings; all but the best cube are dropped in each batch.
  const auto slope = std::make_shared<FunctionObjective>(
      Box::cube(5, 0, 1),
      [](std::span<const double> x) {
        double sum = 0;
        for (const double xj : x) sum -= 1e12 * xj;
        return sum;
      },
      0.0,
      std::vector<double>(5, 0.0));
  const auto problem = make_problem(slope, 2, 1000);
  const auto protocol = make_protocol(blin_algorithm(), &problem, 2, {{"lipschitz", 1e6}});
  RoleDriver driver(*protocol);
  driver.run();
  REQUIRE(driver.all_finished());
  const auto batches = driver.all<RoundEnded>(0);
  REQUIRE(batches.size() == 13);
  CHECK(batches.back().best == Cell{12, 1});
  CHECK(batches.back().steps == 1 + 12 * 32);
  CHECK(driver.pulls(2) == std::vector<std::uint64_t>{1000, 1000});
  CHECK(broken_measurements(*protocol, driver.outcome()).empty());
}

TEST_CASE("BLiN refuses more dimensions than it can halve, and too large a budget", "[blin]") {
  const auto parameters = default_parameters(blin_algorithm().parameters);
  const auto wide = std::make_shared<FunctionObjective>(
      Box::cube(21, 0, 1), [](auto) { return 0.5; }, 0.5, std::vector<double>(21, 0.5));
  const auto problem = make_problem(wide, 1, 0xffffffff);
  const auto problems = blin_algorithm().validate(parameters, {1, Seed{1}, {}, &problem});
  REQUIRE(problems.size() == 2);
  CHECK(problems[0].find("4294967294") != std::string::npos);
  CHECK(problems[1].find("at most 20 dimensions") != std::string::npos);
}

}  // namespace
}  // namespace posse::test_blin
