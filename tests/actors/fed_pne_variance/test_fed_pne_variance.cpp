// SPDX-License-Identifier: Apache-2.0
// Fed-PNE with variance-aware radii: its rules, beside a simulation of its own, and what holds.
#include <catch2/catch.hpp>
#include <cmath>

#include "actors/common/local_moments.hpp"
#include "actors/fed_pne/protocol.hpp"
#include "actors/fed_pne_variance/messages.hpp"
#include "actors/fed_pne_variance/protocol.hpp"
#include "tests/support/faults.hpp"
#include "tests/support/federations.hpp"

namespace posse::test_fed_pne_variance {
namespace {

using namespace test;

const std::vector<std::string> kExact{"messages", "values up", "payload up", "payload down"};

struct Constants {
  double nu1, rho, c, c1, delta, range, floor;
};

/// The algorithm in one loop over vectors of all rewards: (depth, cells asked about, most pulls,
/// kept, steps, best) of every exchange, and each client's pulls of every cell in order.
struct Simulation {
  std::vector<std::vector<std::uint64_t>> table;
  std::vector<std::pair<std::vector<double>, std::uint64_t>> pulls;  // of client 0
  std::vector<double> recommended{};
};

Simulation simulate(const Problem& problem, const Partition& partition, const Constants& c) {
  const auto m = problem.clients();
  const std::uint64_t budget = problem.budget();
  const double l = 2 * c.c * c.c * std::log(c.c1 * static_cast<double>(budget) / c.delta);
  const double largest = c.range * c.range / 4;
  const auto needed = [&](double v, std::uint32_t h) {
    const double g = c.nu1 * std::pow(c.rho, h);
    const double n = (v + 3 * c.range * g + v * std::sqrt(1 + 6 * c.range * g / v)) * l / (g * g);
    return std::max(1.0, std::ceil(n));
  };
  const auto per_client = [&](double v, std::uint32_t h) {
    return std::max(3.0, std::ceil(needed(v, h) / static_cast<double>(m)));
  };
  struct Node {
    std::uint64_t index;
    double variance;
    double mean;
    double pulls;
  };
  std::vector<RewardSource> sources;
  for (std::size_t i = 0; i < m; ++i) sources.emplace_back(problem, i);
  Simulation out;
  std::vector<Node> k{{1, largest, 0, 0}};
  std::uint32_t h = 0;
  std::uint64_t steps = 0;
  Cell best{};
  out.recommended = partition.point(best);
  const auto deeper = [&] {
    std::vector<Node> children;
    for (const auto& node : k)
      for (std::uint64_t c2 = 0; c2 < partition.children_per_cell(); ++c2)
        children.push_back(
            {(node.index - 1) * partition.children_per_cell() + c2 + 1, node.variance, 0, 0});
    k = children;
    ++h;
  };
  std::map<std::uint64_t, std::vector<std::vector<double>>> rewards;  // of this depth, by client
  while (steps < budget) {
    if (rewards.empty()) {
      for (;;) {
        double looks = 0;
        for (const auto& node : k) looks += needed(node.variance, h);
        if (h >= 1 && (looks > static_cast<double>(m) || k.size() > budget - steps)) break;
        deeper();
      }
    }
    std::vector<std::pair<Node*, std::uint64_t>> asked;
    double total = 0;
    for (auto& node : k) {
      double target = per_client(node.variance, h);
      if (node.pulls > 0 && target > node.pulls)
        target = std::min(std::max(target, node.pulls + std::ceil(node.pulls / 4)),
                          per_client(largest, h));
      if (target <= node.pulls) continue;
      asked.emplace_back(&node, static_cast<std::uint64_t>(target - node.pulls));
      total += target - node.pulls;
    }
    const bool cut = total > static_cast<double>(budget - steps);
    std::uint64_t most = 0;
    for (auto& [node, count] : asked) {
      const auto n = std::min(count, budget - steps);
      if (n == 0) break;
      const auto x = partition.point({h, node->index});
      rewards[node->index].resize(m);
      for (std::size_t i = 0; i < m; ++i)
        for (std::uint64_t j = 0; j < n; ++j)
          rewards[node->index][i].push_back(sources[i].pull(x, 1));
      out.pulls.emplace_back(x, n);
      node->pulls += static_cast<double>(n);
      steps += n;
      most = std::max(most, n);
    }
    if (cut) break;
    double floor = -1e300;
    const auto radius = [&](const Node& node) {
      const double n = node.pulls * static_cast<double>(m);
      return std::sqrt(2 * node.variance * l / n) + 3 * c.range * l / n;
    };
    for (auto& node : k) {
      node.mean = 0;
      double variance = 0;
      for (const auto& mine : rewards[node.index]) {
        double mean = 0;  // equal rewards have their own value for a mean, to the last bit
        for (const double r : mine) mean += r - mine[0];
        mean = mine[0] + mean / static_cast<double>(mine.size());
        double squares = 0;
        for (const double r : mine) squares += (r - mean) * (r - mean);
        node.mean += mean;
        variance += squares / static_cast<double>(mine.size() - 1) / static_cast<double>(m);
      }
      node.mean /= static_cast<double>(m);
      node.variance = std::min(std::max(variance, c.floor), largest);
      floor = std::max(floor, node.mean - radius(node));
    }
    const double g = c.nu1 * std::pow(c.rho, h);
    std::erase_if(k, [&](const Node& n) { return n.mean + radius(n) + g < floor; });
    const Node* top = &k.front();
    bool complete = true;
    for (const auto& node : k) {
      if (node.mean > top->mean) top = &node;
      complete = complete && per_client(node.variance, h) <= node.pulls;
    }
    out.table.push_back({h, asked.size(), most, k.size(), steps, top->index});
    if (!complete) continue;
    best = {h, top->index};
    out.recommended = partition.point(best);
    rewards.clear();
    deeper();
  }
  return out;
}

TEST_CASE("variance-aware Fed-PNE does what a plain simulation does", "[long]") {
  std::mt19937 random(81);
  int asked_again = 0;
  int eliminated = 0;
  for (int trial = 0; trial < 150; ++trial) {
    auto s = random_federation(random);
    s.budget += 10;
    const auto problem = s.problem(static_cast<std::uint64_t>(trial));
    const Partition partition(problem.domain(), PartitionKind::cyclic, s.arity);
    const Constants constants{s.nu1, s.rho, s.c, 1, s.delta, trial % 3 == 0 ? 0.5 : 1.0, 1e-3};
    const auto expected = simulate(problem, partition, constants);
    auto changes = s.changes();
    changes["range"] = constants.range;
    const auto protocol = make_protocol(fed_pne_variance_algorithm(), &problem, s.clients, changes);
    RoleDriver driver(*protocol,
                      {.shuffled = trial % 2 == 0,
                       .duplicates = trial % 2 == 0 ? 0.3 : 0.0,
                       .seed = static_cast<std::uint32_t>(trial)});
    driver.run();
    INFO("trial " << trial << ": M " << s.clients << ", T " << s.budget << ", k " << s.arity
                  << ", c " << s.c << ", nu1 " << s.nu1 << ", rho " << s.rho);
    REQUIRE(driver.all_finished());
    REQUIRE(rounds_table(driver) == expected.table);
    for (const auto& made : pulls_made(driver, s.clients)) REQUIRE(made == expected.pulls);
    REQUIRE(driver.all<RecommendationObserved>().back().point == expected.recommended);
    REQUIRE(driver.pulls(s.clients) == std::vector<std::uint64_t>(s.clients, s.budget));
    const auto outcome = driver.outcome(&problem);
    REQUIRE(exact_counts(*protocol, outcome) == kExact);
    REQUIRE(broken_measurements(*protocol, outcome).empty());
    REQUIRE(within_forecast(*protocol, outcome));
    for (std::size_t i = 1; i < expected.table.size(); ++i)
      asked_again += expected.table[i][0] == expected.table[i - 1][0] ? 1 : 0;
    for (const auto& row : expected.table) eliminated += row[3] < row[1] ? 1 : 0;
  }
  CHECK(asked_again > 30);
  CHECK(eliminated > 100);
}

TEST_CASE("constant rewards need few pulls, Bernoulli(1/2) rewards as many as Fed-PNE") {
  const auto deepest = [](const AlgorithmSpec& spec, bool noisy) {
    const auto problem = make_problem(garland(), 10, 10'000, noisy);
    const auto protocol =
        make_protocol(spec, &problem, 10, {{"nu1", 1.4}, {"rho", std::sqrt(0.5)}});
    RoleDriver driver(*protocol);
    driver.run();
    return driver.all<RoundEnded>(0).back().best->depth;
  };
  CHECK(deepest(fed_pne_variance_algorithm(), false) >= deepest(fed_pne_algorithm(), false) + 4);
  CHECK(deepest(fed_pne_variance_algorithm(), true) + 1 >= deepest(fed_pne_algorithm(), true));
}

TEST_CASE("how different the clients are doesn't count as variance") {
  // f_m(x) is 0 or 1 and certain: within each client nothing varies.
  const auto constant = [](double value) {
    return std::make_shared<FunctionObjective>(
        Box::cube(1, 0, 1),
        [value](std::span<const double>) { return value; },
        value,
        std::vector<double>{0.5});
  };
  const auto problem = make_problem({constant(0), constant(1), constant(0), constant(1)}, 400);
  const auto protocol = make_protocol(fed_pne_variance_algorithm(), &problem, 4);
  RoleDriver driver(*protocol);
  driver.run();
  for (const auto& sent : driver.sent())
    if (const auto* local = sent.message.get<LocalMoments>())
      for (const double variance : local->variances) CHECK(variance == 0);
  // The first phase takes the largest variance for granted, the others the floor.
  const auto rounds = driver.all<RoundEnded>(0);
  REQUIRE(rounds.size() >= 3);
  const double l = 2 * 0.01 * std::log(400 * 4.0);
  for (std::size_t i = 1; i < rounds.size(); ++i) {
    const double g = std::pow(0.5, rounds[i].best->depth);
    const double n = (0.001 + 3 * g + 0.001 * std::sqrt(1 + 6000 * g)) * l / (g * g);
    CHECK(static_cast<double>(rounds[i].pulls_per_cell) == std::max(3.0, std::ceil(n / 4)));
  }
}

TEST_CASE(
    "variance-aware Fed-PNE: with the theory's constants the good event keeps the optimum and the "
    "certificate") {
  const double nu1 = 1.4;
  const double rho = std::sqrt(0.5);
  const std::uint32_t clients = 8;
  const double c1 = std::pow(2.0 * clients, 0.125);
  const std::vector<double> argmax{kGarlandArgmax};
  const Partition partition(Box::cube(1, 0, 1), PartitionKind::cyclic, 2);
  const double l = 8 * std::log(c1 * 60'000 * clients);
  bool eliminated = false;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const double half_width = seed % 2 == 0 ? 0.5 : 0.1;
    const auto problem = make_problem("garland", clients, 60'000, Seed{seed}, 0, half_width);
    const auto protocol = make_protocol(fed_pne_variance_algorithm(),
                                        &problem,
                                        clients,
                                        {{"nu1", nu1}, {"rho", rho}, {"c", 2.0}, {"c1", c1}});
    RoleDriver driver(*protocol);
    driver.run();
    REQUIRE(driver.all_finished());
    std::map<std::uint32_t, VariancePlan> plans;
    std::map<std::uint32_t, std::vector<double>> mu, variances;
    for (const auto& sent : driver.sent()) {
      if (const auto* p = sent.message.get<VariancePlan>()) plans[p->round] = *p;
      if (const auto* local = sent.message.get<LocalMoments>()) {
        auto& means = mu[local->round];
        auto& v = variances[local->round];
        means.resize(local->means.size());
        v.resize(means.size());
        for (std::size_t i = 0; i < means.size(); ++i) {
          means[i] += local->means[i] / clients;
          v[i] += local->variances[i] / clients;
        }
      }
    }
    REQUIRE(mu.size() >= 3);
    std::map<std::pair<std::uint32_t, std::uint64_t>, std::uint64_t> pulls;
    std::map<std::pair<std::uint32_t, std::uint64_t>, double> last_radius;
    for (const auto& [round, means] : mu)
      for (std::size_t i = 0; i < means.size(); ++i) {
        const auto& plan = plans[round];
        const auto cell = std::pair{plan.depth, plan.index[i]};
        const double n = static_cast<double>(pulls[cell] += plan.pulls[i]) * clients;
        const double v = std::min(0.25, std::max(1e-3, variances[round][i]));
        const double b = std::sqrt(2 * v * l / n) + 3 * l / n;
        const auto x = partition.point({plan.depth, plan.index[i]});
        REQUIRE(std::abs(means[i] - garland_at(x[0])) <= b);
        last_radius[cell] = b;
      }
    std::uint32_t depth = 0;
    std::vector<std::uint64_t> level;
    for (std::uint32_t round = 1; round <= mu.size(); ++round) {
      const auto& plan = plans[round];
      if (plan.depth == depth) continue;
      // The first exchange of a phase names all of K.
      REQUIRE(std::count(plan.index.begin(),
                         plan.index.end(),
                         partition.locate(plan.depth, argmax).index) == 1);
      eliminated = eliminated || plan.index.size() < (std::size_t{1} << plan.depth);
      if (plan.depth == depth + 1 && depth > 0)
        for (const auto child : plan.index) {
          const auto x = partition.point({depth, (child + 1) / 2});
          REQUIRE(garland_at(x[0]) >= kGarlandMaximum - 6 * nu1 * std::pow(rho, depth));
          REQUIRE(last_radius[std::pair{depth, (child + 1) / 2}] <=
                  nu1 * std::pow(rho, depth) * (1 + 1e-9));
        }
      depth = plan.depth;
    }
    const auto measurement = figure_named(*protocol, driver.outcome(&problem), "cumulative regret");
    REQUIRE(measurement.bound->kind == BoundKind::derived);
    REQUIRE(measurement.measured <= measurement.bound->value);
  }
  CHECK(eliminated);
}

TEST_CASE("the certificate says when the rewards' range is wider than `range`") {
  const auto problem = make_problem("garland", 3, 300, Seed{1}, 0, 0.1);
  const auto note = [&](double range) {
    const auto protocol =
        make_protocol(fed_pne_variance_algorithm(), &problem, 3, {{"range", range}});
    RoleDriver driver(*protocol);
    driver.run();
    return figure_named(*protocol, driver.outcome(&problem), "cumulative regret").bound->note;
  };
  CHECK_THAT(note(0.1), Catch::Contains("range 0.2, more than `range` = 0.1"));
  CHECK_THAT(note(0.2), !Catch::Contains("more than `range`"));
}

TEST_CASE("at the depth limit the best cell is pulled until T, and tiny budgets end") {
  const auto problem = make_problem(cliff(), 2, 5000);
  const auto protocol =
      make_protocol(fed_pne_variance_algorithm(), &problem, 2, {{"nu1", 30.0}, {"rho", 0.9}});
  RoleDriver driver(*protocol);
  driver.run();
  CHECK(driver.all_finished());
  CHECK(driver.all<RoundEnded>(0).back().best == Cell{62, 1});
  CHECK(driver.pulls(2) == std::vector<std::uint64_t>{5000, 5000});
  CHECK(exact_counts(*protocol, driver.outcome()) == kExact);
  for (std::uint64_t budget = 1; budget <= 60; ++budget) {
    const auto small = make_problem(garland(), 3, budget, true);
    const auto tiny = make_protocol(fed_pne_variance_algorithm(), &small, 3);
    RoleDriver other(*tiny);
    other.run();
    REQUIRE(other.all_finished());
    REQUIRE(other.pulls(3) == std::vector<std::uint64_t>(3, budget));
    REQUIRE(broken_measurements(*tiny, other.outcome(&small)).empty());
    REQUIRE(within_forecast(*tiny, other.outcome(&small)));
  }
}

TEST_CASE("at the ends of the parameters' ranges no bound is broken") {
  const auto problem = make_problem(garland(), 3, 60, true);
  for (const double nu1 : {1e-100, 1e-3, 1e100})
    for (const double rho : {1e-6, 1e-3, 1 - 1e-9})
      for (const double c : {1e-100, 1e-3, 1e100})
        for (const double range : {1e-6, 1e6}) {
          const auto protocol =
              make_protocol(fed_pne_variance_algorithm(),
                            &problem,
                            3,
                            {{"nu1", nu1}, {"rho", rho}, {"c", c}, {"range", range}});
          RoleDriver driver(*protocol);
          driver.run();
          INFO("nu1 " << nu1 << ", rho " << rho << ", c " << c << ", range " << range);
          REQUIRE(driver.all_finished());
          REQUIRE(broken_measurements(*protocol, driver.outcome(&problem)).empty());
          REQUIRE(within_forecast(*protocol, driver.outcome(&problem)));
        }
}

TEST_CASE("a stalled exchange names its round and who is missing") {
  const auto problem = make_problem(garland(), 4, 500, true);
  const auto protocol = make_protocol(fed_pne_variance_algorithm(), &problem, 4);
  check_report_of_lost_answer(*protocol, "LocalMoments of round 1", "VariancePlan of round 1");
}

TEST_CASE("variance-aware decisions don't depend on the network") {
  const auto& algorithm = fed_pne_variance_algorithm();
  for (std::uint64_t number = 0; number < 60; ++number) {
    const auto clients = static_cast<std::uint32_t>(1 + number % 5);
    const auto problem = make_problem("garland", clients, 300, Seed{number}, 0.05);
    Run run(algorithm, default_parameters(algorithm.parameters), clients, Seed{number}, &problem);
    check_faults_change_no_decision(run, number);
  }
}

}  // namespace
}  // namespace posse::test_fed_pne_variance
