// SPDX-License-Identifier: Apache-2.0
// The parallel bandit over a grid of constants: its rules, beside a simulation of its own, and what
// holds without knowing the smoothness.
#include <catch2/catch.hpp>
#include <cmath>
#include <set>

#include "actors/parallel/bounds.hpp"
#include "actors/parallel/messages.hpp"
#include "actors/parallel/protocol.hpp"
#include "actors/parallel_adaptive/bounds.hpp"
#include "actors/parallel_adaptive/messages.hpp"
#include "actors/parallel_adaptive/protocol.hpp"
#include "tests/support/faults.hpp"
#include "tests/support/federations.hpp"

namespace posse::test_parallel_adaptive {
namespace {

using namespace test;

const std::vector<std::string> kExact{"messages", "payload"};

struct Grid {
  double nu_max, rho_max, explore, delta;
  std::uint64_t instances;
};

struct Simulation {
  std::vector<std::vector<std::uint64_t>> table;  // cells, most pulls, kept, steps of every round
  std::vector<std::uint64_t> depths;              // levels that each instance completed
  std::vector<double> output;
  double saved = 0;  // evaluations that the instances would have needed alone, to those made
};

/// The algorithm in one place: all players' rewards in one table, no messages.
Simulation simulate(const Problem& problem, const Partition& partition, const Grid& grid) {
  const auto m = problem.clients();
  const std::uint64_t n = problem.budget();
  const std::uint64_t k = partition.children_per_cell();
  const auto n_e =
      grid.instances == 1 ? n : static_cast<std::uint64_t>(grid.explore * static_cast<double>(n));
  struct Known {
    std::vector<double> sums;
    double count = 0;
    double mean = 0;
  };
  struct Search {
    double rho;
    std::uint32_t h = 0;
    std::vector<std::uint64_t> cells{1};
    double account = 0;
    std::optional<Cell> best{};
    bool ended = false;
    std::uint64_t levels = 0;
  };
  std::map<Cell, Known> known;
  std::vector<Search> searches;
  for (std::uint64_t i = 1; i <= grid.instances; ++i)
    searches.push_back({std::pow(
        grid.rho_max, 2.0 * static_cast<double>(grid.instances) / static_cast<double>(2 * i + 1))});
  std::vector<RewardSource> sources;
  for (std::size_t player = 0; player < m; ++player) sources.emplace_back(problem, player);
  const auto pulls_for = [&](const Search& s) {
    const double h = s.h;
    const double l = std::log(M_PI * M_PI * (h + 1) * (h + 1) *
                              static_cast<double>(s.cells.size()) / (3 * grid.delta));
    const double g = grid.nu_max * std::pow(s.rho, h);
    return std::max(1.0, std::ceil(l / (2 * static_cast<double>(m) * (g * g))));
  };
  const auto count_of = [&](Cell cell) {
    const auto it = known.find(cell);
    return it == known.end() ? 0.0 : it->second.count;
  };
  Simulation out;
  std::uint64_t used = 0;
  const auto finish_level = [&](Search& s) {
    s.account += pulls_for(s) * static_cast<double>(s.cells.size());
    double top = -1e300;
    for (const auto index : s.cells) {
      const double mean = known.at({s.h, index}).mean;
      if (mean > top) {
        top = mean;
        s.best = Cell{s.h, index};
      }
    }
    std::vector<std::uint64_t> children;
    std::uint64_t kept = 0;
    for (const auto index : s.cells)
      if (known.at({s.h, index}).mean >= top - 3 * grid.nu_max * std::pow(s.rho, s.h)) {
        ++kept;
        for (std::uint64_t c = 1; c <= k; ++c) children.push_back((index - 1) * k + c);
      }
    s.cells = children;
    ++s.h;
    ++s.levels;
    return kept;
  };
  const auto evaluate = [&](Cell cell, std::uint64_t count, Known& entry) {
    entry.sums.resize(m);
    for (std::size_t player = 0; player < m; ++player)
      entry.sums[player] += sources[player].pull(partition.point(cell), count);
    entry.count += static_cast<double>(count);
    entry.mean = 0;
    for (const double sum : entry.sums) entry.mean += sum / entry.count;
    entry.mean /= static_cast<double>(m);
    used += count;
  };
  double allowance = static_cast<double>(std::max<std::uint64_t>(1, n_e / grid.instances));
  for (;;) {
    std::map<Cell, double> wanted;
    std::vector<Search*> joined;
    for (bool again = true; again;) {
      again = false;
      std::vector<std::pair<double, std::size_t>> order;
      for (std::size_t i = 0; i < searches.size(); ++i) {
        auto& s = searches[i];
        const double after = s.account + pulls_for(s) * static_cast<double>(s.cells.size());
        if (!s.ended && after <= allowance &&
            std::find(joined.begin(), joined.end(), &s) == joined.end())
          order.emplace_back(after, i);
      }
      std::sort(order.begin(), order.end());
      for (const auto& [after, i] : order) {
        auto& s = searches[i];
        const double t = pulls_for(s);
        double lacking = 0;
        bool all_known = true;
        for (const auto index : s.cells) {
          const Cell cell{s.h, index};
          const double there = std::max(count_of(cell), wanted.count(cell) ? wanted[cell] : 0.0);
          lacking += std::max(0.0, t - there);
          all_known = all_known && count_of(cell) >= t;
        }
        double planned = 0;
        for (const auto& [cell, count] : wanted) planned += count - count_of(cell);
        if (all_known) {
          finish_level(s);
          again = true;
        } else if (lacking + planned + static_cast<double>(used) > static_cast<double>(n_e)) {
          s.ended = true;
        } else {
          for (const auto index : s.cells) {
            const Cell cell{s.h, index};
            if (count_of(cell) < t) wanted[cell] = std::max(wanted[cell], t);
          }
          joined.push_back(&s);
        }
      }
    }
    if (joined.empty()) {
      if (allowance >= static_cast<double>(n_e)) break;
      allowance = std::min(2 * allowance, static_cast<double>(n_e));
      continue;
    }
    std::uint64_t most = 0;
    for (const auto& [cell, count] : wanted) {
      const auto more = static_cast<std::uint64_t>(count - count_of(cell));
      most = std::max(most, more);
      evaluate(cell, more, known[cell]);
    }
    std::uint64_t kept = 0;
    for (auto& s : searches)
      if (std::find(joined.begin(), joined.end(), &s) != joined.end()) kept += finish_level(s);
    out.table.push_back({wanted.size(), most, kept, used});
  }
  double accounts = 0;
  for (const auto& s : searches) {
    out.depths.push_back(s.levels);
    accounts += s.account;
  }
  out.saved = accounts / static_cast<double>(std::max<std::uint64_t>(1, used));
  std::vector<Cell> outputs;
  for (const auto& s : searches)
    if (s.best && std::find(outputs.begin(), outputs.end(), *s.best) == outputs.end())
      outputs.push_back(*s.best);
  Cell winner{};
  double top = -1e300;
  const std::uint64_t each = outputs.size() < 2 ? 0 : (n - used) / outputs.size();
  for (const auto cell : outputs) {
    double mean = known.at(cell).mean;
    if (each > 0) {
      Known fresh;
      evaluate(cell, each, fresh);
      mean = fresh.mean;
    }
    if (mean > top) {
      top = mean;
      winner = cell;
    }
  }
  if (each > 0) out.table.push_back({outputs.size(), each, 1, used});
  out.output = partition.point(winner);
  return out;
}

std::vector<std::vector<std::uint64_t>> table_of(const RoleDriver& driver, std::uint32_t player) {
  std::vector<std::vector<std::uint64_t>> table;
  for (const auto& e : driver.all<RoundEnded>(player))
    table.push_back({e.active_cells, e.pulls_per_cell, e.kept_cells, e.steps});
  return table;
}

TEST_CASE("the grid search does what a plain simulation does, for every player") {
  std::mt19937 random(91);
  const auto unit = [&] { return static_cast<double>(random() % 10000) / 10000; };
  int several_rounds = 0;
  int sharing = 0;
  int choices = 0;
  for (int trial = 0; trial < 150; ++trial) {
    auto s = random_federation(random);
    s.clients = 1 + s.clients % 5;
    s.locals.resize(s.clients, s.locals.front());
    const auto problem = s.problem(static_cast<std::uint64_t>(trial));
    const Partition partition(problem.domain(), PartitionKind::cyclic, s.arity);
    const Grid grid{
        0.3 + 2 * unit(), 0.6 + 0.35 * unit(), 0.3 + 0.6 * unit(), s.delta, 1 + random() % 12};
    const auto expected = simulate(problem, partition, grid);
    const auto protocol = make_protocol(parallel_adaptive_algorithm(),
                                        &problem,
                                        s.clients,
                                        {{"nu_max", grid.nu_max},
                                         {"rho_max", grid.rho_max},
                                         {"grid", static_cast<std::int64_t>(grid.instances)},
                                         {"explore", grid.explore},
                                         {"delta", grid.delta},
                                         {"arity", std::int64_t{s.arity}}});
    RoleDriver driver(*protocol,
                      {.shuffled = trial % 2 == 0,
                       .duplicates = trial % 2 == 0 ? 0.3 : 0.0,
                       .seed = static_cast<std::uint32_t>(trial)});
    driver.run();
    INFO("trial " << trial << ": m " << s.clients << ", n " << s.budget << ", k " << s.arity
                  << ", N " << grid.instances << ", nu " << grid.nu_max << ", rho "
                  << grid.rho_max);
    REQUIRE(driver.all_finished());
    for (std::uint32_t player = 0; player < s.clients; ++player) {
      REQUIRE(table_of(driver, player) == expected.table);
      const auto mine = driver.all<RoundEnded>(player);
      const auto first = driver.all<RoundEnded>(0);
      for (std::size_t q = 0; q < mine.size(); ++q) REQUIRE(mine[q].best == first[q].best);
    }
    REQUIRE(driver.all<RecommendationObserved>().back().point == expected.output);
    REQUIRE(driver.pulls(s.clients) == std::vector<std::uint64_t>(s.clients, s.budget));
    REQUIRE(driver.evaluations_declared() == s.budget * s.clients);
    const auto outcome = driver.outcome(&problem);
    REQUIRE(exact_counts(*protocol, outcome) == kExact);
    REQUIRE(broken_measurements(*protocol, outcome).empty());
    REQUIRE(within_forecast(*protocol, outcome));
    several_rounds += expected.table.size() >= 5 ? 1 : 0;
    sharing += expected.saved > 1.5 ? 1 : 0;
    choices += !expected.table.empty() && expected.table.back()[2] == 1 ? 1 : 0;
  }
  CHECK(several_rounds > 60);
  CHECK(sharing > 60);
  CHECK(choices > 60);
}

TEST_CASE("with one instance it is `parallel` that exploits, to the last bit") {
  std::mt19937 random(92);
  const auto unit = [&] { return static_cast<double>(random() % 10000) / 10000; };
  for (int trial = 0; trial < 80; ++trial) {
    auto s = random_federation(random);
    s.clients = 1 + s.clients % 5;
    s.locals.resize(s.clients, s.locals.front());
    const auto problem = s.problem(static_cast<std::uint64_t>(trial));
    const double rho_max = 0.3 + 0.6 * unit();
    const Changes shared{{"delta", s.delta}, {"arity", std::int64_t{s.arity}}};
    auto changes = shared;
    changes.insert({{"nu_max", s.nu1}, {"rho_max", rho_max}, {"grid", std::int64_t{1}}});
    const auto adaptive =
        make_protocol(parallel_adaptive_algorithm(), &problem, s.clients, changes);
    changes = shared;
    changes.insert({{"nu1", s.nu1},
                    {"rho", std::pow(rho_max, 2.0 / 3.0)},
                    {"leftover", std::string("exploit")}});
    const auto parallel = make_protocol(parallel_algorithm(), &problem, s.clients, changes);
    RoleDriver one(*adaptive);
    one.run();
    RoleDriver other(*parallel);
    other.run();
    INFO("trial " << trial);
    REQUIRE(rounds_table(one) == rounds_table(other));
    REQUIRE(pulls_made(one, s.clients) == pulls_made(other, s.clients));
    REQUIRE(one.all<RecommendationObserved>().back().point ==
            other.all<RecommendationObserved>().back().point);
    REQUIRE(one.sent().size() == other.sent().size());
    for (std::size_t i = 0; i < one.sent().size(); ++i)
      REQUIRE(one.sent()[i].message.get<SharedMeans>()->means ==
              other.sent()[i].message.get<LevelMeans>()->means);
    REQUIRE(adaptive->forecast().rounds == parallel->forecast().rounds);
  }
}

TEST_CASE("the grid is POO's and its size GPO's for all evaluations") {
  // D_max = ln 2 / ln(1/0.9) = 6.5788; N = ceil(3.2894 ln(5000 / ln 5000)) = ceil(20.97).
  const theory::AdaptiveParameters p{.players = 1, .budget = 10'000};
  CHECK(theory::adaptive_instances(p) == 21);
  const theory::AdaptiveParameters ten{.players = 10, .budget = 1000};
  CHECK(theory::adaptive_instances(ten) == 21);
  const auto grid = theory::adaptive_grid(p, 4);
  REQUIRE(grid.size() == 4);
  CHECK(grid[0] == Approx(std::pow(0.9, 8.0 / 3)));
  CHECK(grid[3] == Approx(std::pow(0.9, 8.0 / 9)));
  CHECK(theory::adaptive_exploration(p, 21) == 5000);
  CHECK(theory::adaptive_exploration(p, 1) == 10'000);
  CHECK(theory::adaptive_allowance(p, 21) == 238);
  CHECK(theory::adaptive_allowances(p, 21) == 6);  // 238, 476, …, 3808, 5000
  CHECK(theory::adaptive_choice_error(p, 21, 0.01, 238) ==
        Approx(2 * std::sqrt(std::log(4200.0) / 476)));
  CHECK(theory::adaptive_choice_error(p, 1, 0.01, 0) == 0);
}

TEST_CASE("every instance gets the levels that its share would pay for alone") {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const auto problem = make_problem(garland(), 4, 4000, true, seed);
    const Partition partition(Box::cube(1, 0, 1), PartitionKind::cyclic, 2);
    const auto result = simulate(problem, partition, {1, 0.9, 0.5, 1.0 / 4000, 15});
    const auto grid = theory::adaptive_grid({.players = 4, .budget = 4000}, 15);
    for (std::size_t i = 0; i < grid.size(); ++i) {
      const auto alone = theory::parallel_guaranteed_depth(
          {.players = 4, .budget = 2000 / 15, .nu1 = 1, .rho = grid[i], .delta = 1.0 / 4000}, 62);
      if (alone.any) REQUIRE(result.depths[i] >= alone.depth + 1);
    }
    CHECK(result.saved > 2);
  }
}

TEST_CASE("without knowing the smoothness the loss keeps to the best instance's bound", "[long]") {
  // (A) holds on Garland for nu 1.4 and rho >= 2^-1/2; the bound needs no run to be known.
  int good = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto problem = make_problem(garland(), 16, 20'000, true, seed);
    const auto protocol =
        make_protocol(parallel_adaptive_algorithm(), &problem, 16, {{"nu_max", 1.4}});
    RoleDriver driver(*protocol);
    driver.run();
    const auto measurement = figure_named(*protocol, driver.outcome(&problem), "simple regret");
    REQUIRE(measurement.bound->kind == BoundKind::derived);
    CHECK(measurement.bound->value < 2);
    REQUIRE(measurement.measured <= measurement.bound->value);
    ++good;
  }
  CHECK(good == 20);
}

TEST_CASE("the loss bound says why it doesn't apply") {
  const auto note = [](std::uint64_t budget, const Changes& changes) {
    const auto problem = make_problem(garland(), 2, budget);
    const auto protocol = make_protocol(parallel_adaptive_algorithm(), &problem, 2, changes);
    RoleDriver driver(*protocol);
    driver.run();
    const auto measurement = figure_named(*protocol, driver.outcome(&problem), "simple regret");
    CHECK(measurement.bound->kind == BoundKind::does_not_apply);
    return measurement.bound->note;
  };
  CHECK_THAT(note(3, {}), Catch::Contains("too few evaluations for the choice"));
  CHECK_THAT(note(2000, {{"nu_max", 1e-3}}), Catch::Contains("no instance has valid constants"));
  CHECK_THAT(note(2000, {{"point", std::string("uniform")}}),
             Catch::Contains("drawn at every pull"));
}

TEST_CASE("at the depth limit instances end and the best output is pulled until n") {
  const auto problem = make_problem(cliff(), 2, 100'000);
  const auto protocol = make_protocol(
      parallel_adaptive_algorithm(), &problem, 2, {{"nu_max", 30.0}, {"grid", std::int64_t{3}}});
  RoleDriver driver(*protocol);
  driver.run();
  CHECK(driver.all_finished());
  CHECK(driver.pulls(2) == std::vector<std::uint64_t>{100'000, 100'000});
  CHECK(driver.all<RoundEnded>(0).back().best == Cell{62, 1});
  CHECK(broken_measurements(*protocol, driver.outcome()).empty());
}

TEST_CASE("parallel-adaptive breaks no bound with tiny budgets or extreme parameters") {
  for (std::uint64_t budget = 1; budget <= 60; ++budget)
    for (const std::uint32_t players : {1, 3}) {
      const auto problem = make_problem(garland(), players, budget, true);
      const auto protocol = make_protocol(parallel_adaptive_algorithm(), &problem, players);
      RoleDriver driver(*protocol);
      driver.run();
      REQUIRE(driver.all_finished());
      REQUIRE(driver.pulls(players) == std::vector<std::uint64_t>(players, budget));
      REQUIRE(exact_counts(*protocol, driver.outcome(&problem)) == kExact);
      REQUIRE(broken_measurements(*protocol, driver.outcome(&problem)).empty());
      REQUIRE(within_forecast(*protocol, driver.outcome(&problem)));
    }
  const auto problem = make_problem(garland(), 3, 80, true);
  for (const double nu : {1e-100, 1.0, 1e100})
    for (const double rho : {1e-6, 0.5, 1 - 1e-9})
      for (const std::int64_t grid : {1, 7, 1000})
        for (const double explore : {1e-9, 1.0}) {
          const auto protocol = make_protocol(
              parallel_adaptive_algorithm(),
              &problem,
              3,
              {{"nu_max", nu}, {"rho_max", rho}, {"grid", grid}, {"explore", explore}});
          RoleDriver driver(*protocol);
          driver.run();
          INFO("nu " << nu << ", rho " << rho << ", grid " << grid << ", explore " << explore);
          REQUIRE(driver.all_finished());
          REQUIRE(broken_measurements(*protocol, driver.outcome(&problem)).empty());
          REQUIRE(within_forecast(*protocol, driver.outcome(&problem)));
        }
}

TEST_CASE("a player that waits names the round and who hasn't sent") {
  const auto problem = make_problem(sine(), 3, 1600);
  const auto protocol = make_protocol(parallel_adaptive_algorithm(), &problem, 3);
  RoleDriver driver(*protocol);
  driver.start();
  std::erase_if(driver.pending(),
                [](const Delivery& d) { return d.message.from == NodeId{2} && d.to == NodeId{0}; });
  while (driver.deliver_one()) {
  }
  const auto waiting = driver.role(0).waiting();
  REQUIRE(waiting);
  CHECK(waiting->for_what == "SharedMeans of round 1");
  CHECK(waiting->message_type == "SharedMeans");
  CHECK(waiting->from == std::vector<NodeId>{NodeId{2}});
  CHECK(driver.role(1).waiting()->round == Round{2});
}

TEST_CASE("the grid search's decisions don't depend on the network") {
  const auto& algorithm = parallel_adaptive_algorithm();
  for (std::uint64_t number = 0; number < 60; ++number) {
    const auto players = static_cast<std::uint32_t>(1 + number % 5);
    const auto problem = make_problem("garland", players, 300, Seed{number});
    Run run(algorithm, default_parameters(algorithm.parameters), players, Seed{number}, &problem);
    check_faults_change_no_decision(run, number);
  }
}

}  // namespace
}  // namespace posse::test_parallel_adaptive
