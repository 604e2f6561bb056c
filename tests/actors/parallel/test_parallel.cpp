// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <cmath>
#include <set>

#include "actors/parallel/messages.hpp"
#include "actors/parallel/protocol.hpp"
#include "tests/support/role_driver.hpp"

namespace posse::test_parallel {
namespace {

using namespace test;

const double kRootHalf = std::sqrt(0.5);

using Changes = std::map<std::string, ParameterValue>;

/// A level as its player tells it, with the cells it pulled in order.
struct Level {
  RoundEnded ended;
  std::vector<std::uint64_t> cells;
};

/// The completed levels of one player, from its observations.
std::vector<Level> levels_of(const RoleDriver& driver,
                             const Partition& partition,
                             std::uint32_t player) {
  std::vector<Level> levels;
  std::vector<std::uint64_t> cells;
  std::uint32_t depth = 0;
  bool in_level = false;
  for (const auto& o : driver.observed()) {
    if (o.node.value != player) continue;
    if (const auto* began = std::get_if<RoundBegan>(&o.what)) {
      depth = began->round.value - 1;
      cells.clear();
      in_level = true;
    } else if (const auto* pulls = std::get_if<PullsObserved>(&o.what)) {
      if (in_level) cells.push_back(partition.locate(depth, pulls->point).index);
    } else if (const auto* ended = std::get_if<RoundEnded>(&o.what)) {
      levels.push_back({*ended, cells});
      in_level = false;
    }
  }
  return levels;
}

/// (|S|, T, t_end, expanded) of every completed level.
std::vector<std::vector<std::uint64_t>> rows(const std::vector<RoundEnded>& levels) {
  std::vector<std::vector<std::uint64_t>> table;
  for (const auto& e : levels)
    table.push_back({e.active_cells, e.pulls_per_cell, e.steps, e.kept_cells});
  return table;
}

Partition binary() { return Partition(Box::cube(1, 0, 1), PartitionKind::cyclic, 2); }

TEST_CASE("the parallel bandit reproduces the worked example on the sine function") {
  const auto problem = make_problem(sine(), 4, 1600);
  const auto protocol = make_protocol(parallel_algorithm(), &problem, 4);
  RoleDriver driver(*protocol);
  driver.run();
  REQUIRE(driver.all_finished());
  const auto levels = driver.all<RoundEnded>(0);
  using Table = std::vector<std::vector<std::uint64_t>>;
  CHECK(rows(levels) == Table{{1, 2, 2, 1}, {2, 6, 14, 2}, {4, 25, 114, 4}, {8, 108, 978, 8}});
  CHECK(levels[0].best->index == 1);
  CHECK(levels[1].best->index == 1);
  CHECK(levels[2].best->index == 4);
  CHECK(levels[3].best->index == 1);
  const auto x = driver.all<RecommendationObserved>(0).back().point;
  CHECK(x == std::vector<double>{0.0625});
  CHECK(kSineMaximum - sine_at(x[0]) == Approx(0.0575320127).epsilon(0).margin(5e-11));
  const auto outcome = driver.outcome(&problem);
  CHECK(figure_named(*protocol, outcome, "rounds").measured == 4);
  CHECK(figure_named(*protocol, outcome, "values per player").measured == 15);
  CHECK(broken_measurements(*protocol, outcome).empty());
}

TEST_CASE("a single player completes levels 0 to 2 of the worked example") {
  const auto problem = make_problem(sine(), 1, 1600);
  const auto protocol = make_protocol(parallel_algorithm(), &problem, 1);
  RoleDriver driver(*protocol);
  driver.run();
  REQUIRE(driver.all_finished());
  CHECK(driver.all<RoundEnded>(0).size() == 3);
  CHECK(driver.sent().empty());
  const auto x = driver.all<RecommendationObserved>(0).back().point;
  CHECK(kSineMaximum - sine_at(x[0]) == Approx(0.0060416904).epsilon(0).margin(5e-11));
}

TEST_CASE("the parallel bandit reproduces the worked example on Garland") {
  const auto problem = make_problem(garland(), 16, 10000);
  const auto protocol = make_protocol(
      parallel_algorithm(), &problem, 16, {{"nu1", 1.4}, {"rho", kRootHalf}, {"delta", 1e-4}});
  RoleDriver driver(*protocol, {.shuffled = true, .seed = 3});
  driver.run();
  REQUIRE(driver.all_finished());
  using Table = std::vector<std::vector<std::uint64_t>>;
  CHECK(rows(driver.all<RoundEnded>(0)) == Table{{1, 1, 1, 1},
                                                 {2, 1, 3, 2},
                                                 {4, 1, 7, 4},
                                                 {8, 2, 23, 8},
                                                 {16, 5, 103, 16},
                                                 {32, 9, 391, 29},
                                                 {58, 19, 1493, 43},
                                                 {86, 39, 4847, 70}});
  const auto x = driver.all<RecommendationObserved>(0).back().point;
  CHECK(x == std::vector<double>{0.47265625});
  CHECK(kGarlandMaximum - garland_at(x[0]) == Approx(0.0734057992).epsilon(0).margin(5e-11));
  const auto outcome = driver.outcome(&problem);
  CHECK(figure_named(*protocol, outcome, "values per player").measured == 207);
  CHECK(broken_measurements(*protocol, outcome).empty());
  const auto loss = figure_named(*protocol, outcome, "simple regret");
  CHECK(loss.bound->kind == BoundKind::exact);
  CHECK(loss.measured <= loss.bound->value);
  CHECK(loss.bound->value == Approx(3 * 1.4 * std::pow(0.5, 3.5)));
}

TEST_CASE("the loss bound names the assumption that the papers' (1, 0.5) breaks on Garland") {
  const auto problem = make_problem(garland(), 16, 10000);
  const auto protocol = make_protocol(parallel_algorithm(), &problem, 16);
  RoleDriver driver(*protocol);
  driver.run();
  const auto loss = figure_named(*protocol, driver.outcome(&problem), "simple regret");
  CHECK(loss.bound->kind == BoundKind::does_not_apply);
  CHECK(loss.bound->note.find("fails at depth") != std::string::npos);
}

// T_h = ceil(c^2 L_h / (m (1.4 2^{-h/2})^2)) with L_h = ln(pi^2 (h+1)^2 |S_h| / (3 delta)), worked
// out by hand for c = 0.1, delta = 1e-4, m = 2: 1, 1, 1, 1, 1, 2 for full levels.
TEST_CASE("with practical constants levels are shorter, and only bounds that always hold apply") {
  const auto problem = make_problem(garland(), 2, 150);
  const std::map<std::string, ParameterValue> given{
      {"nu1", 1.4}, {"rho", kRootHalf}, {"delta", 1e-4}};
  auto changed = given;
  changed["constants"] = std::string("practical");
  const auto run = [&](const auto& parameters) {
    const auto protocol = make_protocol(parallel_algorithm(), &problem, 2, parameters);
    RoleDriver driver(*protocol);
    driver.run();
    REQUIRE(driver.all_finished());
    CHECK(broken_measurements(*protocol, driver.outcome(&problem)).empty());
    return std::pair(driver.all<RoundEnded>(0),
                     figure_named(*protocol, driver.outcome(&problem), "simple regret"));
  };
  const auto [levels, loss] = run(changed);
  const std::vector<std::uint64_t> pulls{1, 1, 1, 1, 1, 2};
  REQUIRE(levels.size() >= pulls.size());
  for (std::size_t h = 0; h < pulls.size(); ++h) {
    INFO(h);
    CHECK(levels[h].pulls_per_cell == pulls[h]);
  }
  CHECK(loss.bound->kind == BoundKind::does_not_apply);
  CHECK_THAT(loss.bound->note, Catch::Contains("the theory needs c >= 1/sqrt(2), not c = 0.1"));
  // c itself may be given; the theory's is the default.
  changed = given;
  changed["c"] = 0.1;
  CHECK(rows(run(changed).first) == rows(levels));
  changed["c"] = 1.0;
  CHECK(run(changed).second.bound->kind != BoundKind::does_not_apply);
  CHECK(run(given).first.size() < levels.size());
  const auto facts = [&](const auto& parameters) {
    return make_protocol(parallel_algorithm(), &problem, 2, parameters)->comparison_facts();
  };
  CHECK(facts(given).widths == Widths::theory);
  changed["c"] = 0.1;
  CHECK(facts(changed).widths == Widths::practical);
}

// "while t + T_h |S_h| <= n: every player evaluates x_{h,i} T_h times" for i in S_h ascending.
TEST_CASE("a player evaluates the active cells in ascending order, T_h times each") {
  const auto problem = make_problem(garland(), 2, 500);
  const auto protocol = make_protocol(parallel_algorithm(), &problem, 2);
  RoleDriver driver(*protocol);
  driver.run();
  const auto levels = levels_of(driver, binary(), 1);
  REQUIRE(levels.size() >= 3);
  for (const auto& level : levels) {
    CHECK(level.cells.size() == level.ended.active_cells);
    CHECK(std::is_sorted(level.cells.begin(), level.cells.end()));
  }
  for (const auto& p : driver.all<PullsObserved>(1)) CHECK(p.client == 1);
}

// "every player broadcasts its |S_h| means; waits for the m-1 others": one message to each other.
TEST_CASE("a level is one message from each player to each other, 8 + 8 |S_h| bytes") {
  const auto problem = make_problem(sine(), 3, 400);
  const auto protocol = make_protocol(parallel_algorithm(), &problem, 3);
  RoleDriver driver(*protocol);
  driver.run();
  std::map<std::uint32_t, std::set<std::pair<std::uint32_t, std::uint32_t>>> links;
  for (const auto& sent : driver.sent()) {
    const auto* means = sent.message.get<LevelMeans>();
    REQUIRE(means != nullptr);
    CHECK(sent.message.round.value == means->depth + 1);
    CHECK(sent.message.payload.size_bytes() == 8 + 8 * means->means.size());
    CHECK(links[means->depth].insert({sent.message.from.value, sent.to.value}).second);
  }
  CHECK(links.size() == driver.all<RoundEnded>(0).size());
  for (const auto& [depth, pairs] : links) CHECK(pairs.size() == 6);
}

// "S_{h+1} = children of { i in S_h : mu_{h,i} >= mu* - 3 nu1 rho^h }", mu the players' mean.
TEST_CASE("cells within 3 nu1 rho^h of the best are expanded, the others are not") {
  const auto problem = make_problem(garland(), 3, 30000, true);
  const double nu1 = 0.4;
  const double rho = 0.6;
  const auto protocol =
      make_protocol(parallel_algorithm(), &problem, 3, {{"nu1", nu1}, {"rho", rho}});
  RoleDriver driver(*protocol);
  driver.run();
  const auto levels = levels_of(driver, binary(), 0);
  REQUIRE(levels.size() >= 5);
  // The means of every level and player, from the messages.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<double>> means;
  for (const auto& sent : driver.sent())
    means[{sent.message.get<LevelMeans>()->depth, sent.message.from.value}] =
        sent.message.get<LevelMeans>()->means;
  bool eliminated = false;
  for (std::uint32_t h = 0; h < levels.size(); ++h) {
    std::vector<double> mu;
    for (std::size_t i = 0; i < levels[h].cells.size(); ++i)
      mu.push_back((means[{h, 0}][i] + means[{h, 1}][i] + means[{h, 2}][i]) / 3);
    const double best = *std::max_element(mu.begin(), mu.end());
    std::vector<std::uint64_t> children;
    for (std::size_t i = 0; i < mu.size(); ++i)
      if (mu[i] >= best - 3 * nu1 * std::pow(rho, h)) {
        children.push_back(2 * levels[h].cells[i] - 1);
        children.push_back(2 * levels[h].cells[i]);
      }
    eliminated = eliminated || children.size() < 2 * mu.size();
    CHECK(levels[h].ended.kept_cells == children.size() / 2);
    if (h + 1 < levels.size()) CHECK(levels[h + 1].cells == children);
  }
  CHECK(eliminated);
}

TEST_CASE("of cells with equal means the parallel bandit takes the smallest index") {
  const auto flat = std::make_shared<FunctionObjective>(
      Box::cube(1, 0, 1),
      [](std::span<const double>) { return 0.5; },
      0.5,
      std::vector<double>{0.1});
  const auto problem = make_problem(flat, 2, 200);
  const auto protocol = make_protocol(parallel_algorithm(), &problem, 2);
  RoleDriver driver(*protocol);
  driver.run();
  REQUIRE(driver.all<RoundEnded>(0).size() >= 2);
  for (const auto& level : driver.all<RoundEnded>()) CHECK(level.best->index == 1);
}

// "if t + T_h |S_h| > n: leftover rule, stop".
TEST_CASE("leftover pull goes through the unfinished level unsent, stop ends, exploit pulls best") {
  const auto problem = make_problem(sine(), 4, 1600);
  const auto run = [&](const char* leftover) {
    const auto protocol =
        make_protocol(parallel_algorithm(), &problem, 4, {{"leftover", std::string(leftover)}});
    RoleDriver driver(*protocol);
    driver.run();
    CHECK(driver.all_finished());
    CHECK(driver.sent().size() == 4 * 4 * 3);
    CHECK(driver.all<RecommendationObserved>().back().point == std::vector<double>{0.0625});
    std::map<double, std::uint64_t> after;  // pulls of player 0 after the last level
    const auto all = driver.all<PullsObserved>(0);
    for (std::size_t i = 1 + 2 + 4 + 8; i < all.size(); ++i) after[all[i].point[0]] += all[i].count;
    for (const auto pulls : driver.pulls(4))
      CHECK(pulls == (std::string(leftover) == "stop" ? 978 : 1600));
    CHECK(driver.evaluations_declared() == driver.pulls(4)[0] * 4);
    return after;
  };
  const auto pulled = run("pull");
  CHECK(pulled.size() >= 2);
  CHECK(pulled.begin()->first == 1.0 / 32);  // the first cell of depth 4
  CHECK(run("stop").empty());
  CHECK(run("exploit") == std::map<double, std::uint64_t>{{0.0625, 622}});
}

TEST_CASE("a budget too small for level 0 leaves the root's point and no round") {
  const auto problem = make_problem(sine(), 2, 1);
  const auto protocol = make_protocol(parallel_algorithm(), &problem, 2, {{"nu1", 0.1}});
  RoleDriver driver(*protocol);
  driver.run();
  CHECK(driver.all_finished());
  CHECK(driver.sent().empty());
  CHECK(driver.all<RoundEnded>().empty());
  REQUIRE(driver.all<RecommendationObserved>().size() == 1);
  CHECK(driver.all<RecommendationObserved>()[0].point == std::vector<double>{0.5});
  CHECK(driver.pulls(2) == std::vector<std::uint64_t>{1, 1});
  const auto outcome = driver.outcome(&problem);
  CHECK(figure_named(*protocol, outcome, "simple regret").bound->kind == BoundKind::does_not_apply);
  CHECK(broken_measurements(*protocol, outcome).empty());
}

TEST_CASE("with a fixed delta the decisions for a smaller budget are a prefix") {
  std::vector<std::vector<std::uint64_t>> longer;
  for (const std::uint64_t budget : {5000, 1500, 300, 40}) {
    const auto problem = make_problem(garland(), 3, budget, true);
    const auto protocol =
        make_protocol(parallel_algorithm(), &problem, 3, {{"delta", 0.1}, {"rho", 0.7}});
    RoleDriver driver(*protocol);
    driver.run();
    const auto table = rows(driver.all<RoundEnded>(2));
    if (!longer.empty()) {
      REQUIRE(table.size() <= longer.size());
      CHECK(std::equal(table.begin(), table.end(), longer.begin()));
    }
    longer = table;
  }
}

TEST_CASE("at the depth limit the search ends and the best cell is pulled until n") {
  const auto problem = make_problem(cliff(), 2, 200'000);
  for (const char* leftover : {"pull", "stop", "exploit"}) {
    const auto protocol =
        make_protocol(parallel_algorithm(),
                      &problem,
                      2,
                      {{"nu1", 30.0}, {"rho", 0.9}, {"leftover", std::string(leftover)}});
    RoleDriver driver(*protocol);
    driver.run();
    CHECK(driver.all_finished());
    CHECK(driver.pulls(2) == std::vector<std::uint64_t>{200'000, 200'000});
    const auto levels = driver.all<RoundEnded>(0);
    REQUIRE(levels.size() == 63);  // depths 0 … 62
    CHECK(levels.back().best == Cell{62, 1});
    CHECK(driver.all<PullsObserved>(1).back().point == std::vector<double>{0x1p-63});
    CHECK(driver.all<PullsObserved>(1).back().count == 200'000 - levels.back().steps);
    const auto depth = figure_named(*protocol, driver.outcome(), "rounds guaranteed");
    REQUIRE(depth.bound);
    CHECK(depth.bound->note.find("depth limit was reached") != std::string::npos);
  }
}

TEST_CASE("a player that waits names the level and who hasn't sent it") {
  const auto problem = make_problem(sine(), 3, 1600);
  const auto protocol = make_protocol(parallel_algorithm(), &problem, 3);
  RoleDriver driver(*protocol);
  driver.start();
  // Everything but what player 2 sent to player 0 arrives.
  std::erase_if(driver.pending(),
                [](const Delivery& d) { return d.message.from == NodeId{2} && d.to == NodeId{0}; });
  while (driver.deliver_one()) {
  }
  const auto waiting = driver.role(0).waiting();
  REQUIRE(waiting);
  CHECK(waiting->for_what == "LevelMeans of level 0");
  CHECK(waiting->message_type == "LevelMeans");
  CHECK(waiting->round == Round{1});
  CHECK(waiting->from == std::vector<NodeId>{NodeId{2}});
  // The others are a level ahead: their means of level 1 are kept until player 0 gets there.
  const auto ahead = driver.role(1).waiting();
  REQUIRE(ahead);
  CHECK(ahead->round == Round{2});
  CHECK(ahead->from == std::vector<NodeId>{NodeId{0}});
}

struct Scenario {
  std::uint32_t players;
  std::uint64_t budget;
  std::uint32_t arity;
  double nu1, rho, delta;
  int objective;
  bool noisy;
};

Scenario random_scenario(std::mt19937& random) {
  const auto unit = [&] { return static_cast<double>(random() % 10000) / 10000; };
  return {1 + static_cast<std::uint32_t>(random() % 5),
          1 + random() % 3000,
          2 + static_cast<std::uint32_t>(random() % 3),
          0.2 + 2 * unit(),
          0.3 + 0.6 * unit(),
          0.001 + 0.999 * unit(),
          static_cast<int>(random() % 3),
          random() % 2 == 0};
}

std::shared_ptr<const Objective> objective_number(int number) {
  return number == 0 ? sine() : number == 1 ? garland() : bowl(0.3, 0.8);
}

TEST_CASE("parallel bandit invariants hold in random scenarios, whatever the order of arrival") {
  std::mt19937 random(20);
  int several_levels = 0;
  for (int trial = 0; trial < 150; ++trial) {
    const auto s = random_scenario(random);
    INFO("trial " << trial << ": m " << s.players << ", n " << s.budget << ", k " << s.arity
                  << ", nu1 " << s.nu1 << ", rho " << s.rho << ", delta " << s.delta);
    const auto problem = make_problem(objective_number(s.objective), s.players, s.budget, s.noisy);
    const auto protocol = make_protocol(
        parallel_algorithm(),
        &problem,
        s.players,
        {{"nu1", s.nu1}, {"rho", s.rho}, {"delta", s.delta}, {"arity", std::int64_t{s.arity}}});
    RoleDriver driver(*protocol);
    driver.run();
    REQUIRE(driver.all_finished());
    const auto levels = driver.all<RoundEnded>(0);
    several_levels += levels.size() >= 4 ? 1 : 0;

    const double m = s.players;
    std::uint64_t steps = 0;
    std::uint64_t payload = 0;
    for (std::size_t h = 0; h < levels.size(); ++h) {
      const auto cells = static_cast<double>(levels[h].active_cells);
      const double depth = static_cast<double>(h);
      const double log_term =
          std::log(M_PI * M_PI * (depth + 1) * (depth + 1) * cells / (3 * s.delta));
      const double width = s.nu1 * std::pow(s.rho, depth);
      REQUIRE(static_cast<double>(levels[h].pulls_per_cell) ==
              Approx(std::max(1.0, std::ceil(log_term / (2 * m * width * width)))));
      steps += levels[h].active_cells * levels[h].pulls_per_cell;
      payload += 8 + 8 * levels[h].active_cells;
      REQUIRE(levels[h].steps == steps);
      if (h > 0) REQUIRE(levels[h].active_cells == s.arity * levels[h - 1].kept_cells);
      REQUIRE(levels[h].best->depth == h);
    }
    REQUIRE(steps <= s.budget);
    const double q = static_cast<double>(levels.size());
    if (levels.size() >= 2)
      REQUIRE(q <= 1 +
                       0.5 *
                           std::log(m * static_cast<double>(s.budget) * s.nu1 * s.nu1 /
                                    std::log(M_PI * M_PI / (3 * s.delta))) /
                           std::log(1 / s.rho) +
                       1e-9);
    const auto outcome = driver.outcome(&problem);
    REQUIRE(outcome.total(&TypeAccount::bytes) == payload * s.players * (s.players - 1));
    REQUIRE(outcome.total(&TypeAccount::sent) == levels.size() * s.players * (s.players - 1));
    REQUIRE(broken_measurements(*protocol, outcome).empty());
    const auto forecast = protocol->forecast();
    REQUIRE(q <= forecast.rounds);
    REQUIRE(static_cast<double>(outcome.total(&TypeAccount::sent)) <= forecast.messages);
    REQUIRE(static_cast<double>(outcome.total(&TypeAccount::bytes)) <= forecast.bytes);
    for (const auto pulls : driver.pulls(s.players)) REQUIRE(pulls == s.budget);

    // All players tell the same story, and so they do with copies in any order.
    const auto same_story = [&](const RoleDriver& other, std::uint32_t player) {
      const auto theirs = other.all<RoundEnded>(player);
      REQUIRE(rows(theirs) == rows(levels));
      for (std::size_t h = 0; h < levels.size(); ++h) REQUIRE(theirs[h].best == levels[h].best);
    };
    for (std::uint32_t player = 1; player < s.players; ++player) same_story(driver, player);
    RoleDriver other(
        *protocol,
        {.shuffled = true, .duplicates = 0.3, .seed = static_cast<std::uint32_t>(trial)});
    other.run();
    REQUIRE(other.all_finished());
    for (std::uint32_t player = 0; player < s.players; ++player) same_story(other, player);
    REQUIRE(other.sent().size() == driver.sent().size());
    REQUIRE(other.all<RecommendationObserved>().back().point ==
            driver.all<RecommendationObserved>().back().point);
  }
  CHECK(several_levels > 40);
}

TEST_CASE("given valid constants the good event keeps the optimum and bounds the loss") {
  // P(good event) >= 1 - delta; the consequences are then certain, run by run.
  const double nu1 = 1.4;
  const double rho = kRootHalf;
  const auto partition = binary();
  const std::vector<double> argmax{kGarlandArgmax};
  std::vector<std::size_t> near_optimal;  // |I_h| by enumeration
  for (std::uint32_t h = 0; h <= 12; ++h) {
    std::size_t count = 0;
    for (std::uint64_t i = 1; i <= (std::uint64_t{1} << h); ++i)
      if (garland_at(partition.point({h, i})[0]) >= kGarlandMaximum - 6 * nu1 * std::pow(rho, h))
        ++count;
    near_optimal.push_back(count);
  }
  int good = 0;
  int eliminations = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const std::uint32_t m = 2 + static_cast<std::uint32_t>(seed % 9);
    const double delta = 0.1;
    const bool noisy = seed > 3;
    const auto problem = make_problem(garland(), m, 4000, noisy, seed);
    const auto protocol = make_protocol(
        parallel_algorithm(), &problem, m, {{"nu1", nu1}, {"rho", rho}, {"delta", delta}});
    RoleDriver driver(*protocol);
    driver.run();
    const auto levels = levels_of(driver, partition, 0);
    REQUIRE(levels.size() >= 4);

    std::vector<std::vector<double>> mu(levels.size());
    for (std::size_t h = 0; h < levels.size(); ++h) mu[h].resize(levels[h].cells.size());
    for (const auto& sent : driver.sent()) {
      const auto* means = sent.message.get<LevelMeans>();
      const std::uint32_t one_receiver = sent.message.from.value == 0 ? 1 : 0;
      if (sent.to.value != one_receiver) continue;
      for (std::size_t i = 0; i < means->means.size(); ++i)
        mu[means->depth][i] += means->means[i] / m;
    }
    bool xi = true;
    for (std::size_t h = 0; h < levels.size(); ++h) {
      const double depth = static_cast<double>(h);
      const double cells = static_cast<double>(levels[h].cells.size());
      const double log_term =
          std::log(M_PI * M_PI * (depth + 1) * (depth + 1) * cells / (3 * delta));
      const double epsilon =
          std::sqrt(log_term / (2 * m * static_cast<double>(levels[h].ended.pulls_per_cell)));
      for (std::size_t i = 0; i < mu[h].size(); ++i) {
        const auto x = partition.point({static_cast<std::uint32_t>(h), levels[h].cells[i]});
        xi = xi && std::abs(mu[h][i] - garland_at(x[0])) <= epsilon;
      }
    }
    if (!noisy) REQUIRE(xi);
    if (!xi) continue;
    ++good;
    for (std::uint32_t h = 0; h < levels.size(); ++h) {
      const auto& cells = levels[h].cells;
      REQUIRE(std::count(cells.begin(), cells.end(), partition.locate(h, argmax).index) == 1);
      if (h + 1 == levels.size()) break;
      const auto& next = levels[h + 1].cells;
      eliminations += next.size() < 2 * cells.size() ? 1 : 0;
      REQUIRE(next.size() <= 2 * near_optimal[h]);
      for (const auto child : next) {
        const auto x = partition.point({h, (child + 1) / 2});
        REQUIRE(garland_at(x[0]) >= kGarlandMaximum - 6 * nu1 * std::pow(rho, h));
      }
    }
    const auto x = driver.all<RecommendationObserved>().back().point;
    const double deepest = static_cast<double>(levels.size() - 1);
    REQUIRE(kGarlandMaximum - garland_at(x[0]) <= 3 * nu1 * std::pow(rho, deepest));
  }
  CHECK(good >= 30);  // P(fewer) < 1e-9 if each is good with probability 0.9 or more
  CHECK(eliminations > 0);
}

}  // namespace
}  // namespace posse::test_parallel
