// SPDX-License-Identifier: Apache-2.0
// Decisions at exact equality and ties, and budgets that end exactly with a phase: where < and <=,
// first and last, differ. With c1 T / delta = 1 the logarithm in Fed-PNE's and PF-PNE's radius is
// 0, so that one pull per cell is enough and all numbers below are exact in double.
#include <catch2/catch.hpp>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "actors/fed_pne/messages.hpp"
#include "actors/fed_pne/protocol.hpp"
#include "actors/fed_ucb/messages.hpp"
#include "actors/fed_ucb/protocol.hpp"
#include "actors/parallel/protocol.hpp"
#include "actors/pf_pne/messages.hpp"
#include "actors/pf_pne/protocol.hpp"
#include "tests/support/role_driver.hpp"

namespace posse::test_equality {
namespace {

using namespace test;
using Indices = std::vector<std::uint64_t>;

constexpr double kSmall = 0x1p-40;

/// Given values at some points of [0, 1], 0 elsewhere.
std::shared_ptr<const Objective> values(std::map<double, double> at) {
  return std::make_shared<FunctionObjective>(
      Box::cube(1, 0, 1),
      [at = std::move(at)](std::span<const double> x) {
        const auto it = at.find(x[0]);
        return it == at.end() ? 0.0 : it->second;
      },
      1.0,
      std::vector<double>{0.75});
}

/// The kept cells of the first round that compares cells of `depth`.
Indices kept_at(const RoleDriver& driver, std::uint32_t depth) {
  Indices kept;
  for (const auto& round : driver.all<RoundEnded>(0))
    for (const auto& cell : round.cells)
      if (cell.cell.depth == depth && cell.kept) kept.push_back(cell.cell.index);
  return kept;
}

std::map<std::string, ParameterValue> exact(std::uint64_t budget) {
  return {{"nu1", 1.0}, {"rho", 0.5}, {"c1", 1 / static_cast<double>(budget)}, {"delta", 1.0}};
}

TEST_CASE("Fed-PNE keeps a cell that is worse by exactly the bound, and none that is worse") {
  // One client: cells are compared from depth 1 on, with b = 0 and nu1 rho = 1/2.
  for (const double below : {0.0, kSmall}) {
    const auto problem = make_problem(values({{0.25, 0.25 - below}, {0.75, 0.75}}), 1, 4);
    const auto protocol = make_protocol(fed_pne_algorithm(), &problem, 1, exact(4));
    RoleDriver driver(*protocol);
    driver.run();
    CHECK(kept_at(driver, 1) == (below == 0 ? Indices{1, 2} : Indices{2}));
    CHECK(driver.all<RoundEnded>(0)[0].best == Cell{1, 2});
  }
}

TEST_CASE("of cells with equal means Fed-PNE, PF-PNE and Fed1-UCB take the first") {
  const auto problem = make_problem(values({{0.25, 0.5}, {0.75, 0.5}}), 1, 4);
  for (const auto* algorithm : {&fed_pne_algorithm(), &pf_pne_algorithm()}) {
    INFO(algorithm->kind);
    const auto protocol = make_protocol(*algorithm, &problem, 1, exact(4));
    RoleDriver driver(*protocol);
    driver.run();
    for (const auto& round : driver.all<RoundEnded>(0)) CHECK(round.best->index == 1);
  }
  const auto flat = make_problem(values({}), 2, 2000);
  const auto protocol = make_protocol(fed1_ucb_algorithm(), &flat, 2);
  RoleDriver driver(*protocol);
  driver.run();
  REQUIRE_FALSE(driver.all<RoundEnded>(0).empty());
  for (const auto& round : driver.all<RoundEnded>(0)) {
    CHECK(round.best == Cell{0, 1});
    CHECK(round.kept_cells == 20);  // all
  }
}

TEST_CASE("PF-PNE keeps cells at exact equality, together and alone") {
  // Delta = 1/2: depths 0 and 1 together, the others alone. T = 8: one pull at the root, two and
  // four in the next levels, one in a level that is cut.
  for (const double below : {0.0, kSmall}) {
    const auto problem = make_problem(values({{0.25, 0.25},
                                              {0.75, 0.75},
                                              {0.125, 0.5},
                                              {0.375, 0.5 - kSmall},
                                              {0.625, 0.5 - below},
                                              {0.875, 0.75}}),
                                      1,
                                      8);
    auto changes = exact(8);
    changes["max_difference"] = 0.5;
    const auto protocol = make_protocol(pf_pne_algorithm(), &problem, 1, changes);
    RoleDriver driver(*protocol);
    driver.run();
    REQUIRE(driver.all_finished());
    CHECK(driver.all<RoundEnded>(0).size() == 2);
    CHECK(kept_at(driver, 1) == Indices{1, 2});
    const auto search = driver.all<OwnSearchObserved>(1).back().search;
    CHECK(search.depth == 2);
    Indices kept;
    for (const auto& cell : search.kept) kept.push_back(cell.index);
    CHECK(kept == (below == 0 ? Indices{1, 3, 4} : Indices{1, 4}));
    CHECK(driver.pulls(1) == Indices{8});
  }
  // Together, below by more than nu1 rho^1.
  const auto problem = make_problem(values({{0.25, 0.25 - kSmall}, {0.75, 0.75}}), 1, 8);
  auto changes = exact(8);
  changes["max_difference"] = 0.5;
  const auto protocol = make_protocol(pf_pne_algorithm(), &problem, 1, changes);
  RoleDriver driver(*protocol);
  driver.run();
  CHECK(kept_at(driver, 1) == Indices{2});
}

TEST_CASE("the parallel bandit expands a cell at exactly the margin, and none below") {
  // Two cells of depth 1 with 3 nu1 rho = 3/16.
  for (const double below : {0.0, kSmall}) {
    const auto problem = make_problem(values({{0.25, 0.5625 - below}, {0.75, 0.75}}), 1, 5000);
    const auto protocol = make_protocol(
        parallel_algorithm(), &problem, 1, {{"nu1", 0.125}, {"rho", 0.5}, {"delta", 1.0}});
    RoleDriver driver(*protocol);
    driver.run();
    CHECK(kept_at(driver, 1) == (below == 0 ? Indices{1, 2} : Indices{2}));
  }
}

TEST_CASE("a budget that ends with a phase sends no further plan, one pull more sends a cut one") {
  // Fed-PNE: 2 cells at depth 1, then 4 (equal means keep all).
  struct Row {
    std::uint64_t budget;
    std::size_t plans, means, rounds;
  };
  for (const Row& row : {Row{1, 1, 0, 0},
                         Row{2, 1, 1, 1},
                         Row{3, 2, 1, 1},
                         Row{5, 2, 1, 1},
                         Row{6, 2, 2, 2},
                         Row{7, 3, 2, 2}}) {
    INFO("T = " << row.budget);
    const auto problem = make_problem(values({}), 1, row.budget);
    const auto protocol = make_protocol(fed_pne_algorithm(), &problem, 1, exact(row.budget));
    RoleDriver driver(*protocol);
    driver.run();
    REQUIRE(driver.all_finished());
    const auto sent = [&](std::string_view type) {
      std::size_t count = 0;
      for (const auto& s : driver.sent()) count += s.message.payload.type().name == type ? 1 : 0;
      return count;
    };
    CHECK(sent("PhasePlan") == row.plans);
    CHECK(sent("LocalMeans") == row.means);
    CHECK(driver.all<RoundEnded>(0).size() == row.rounds);
    CHECK(driver.pulls(1) == Indices{row.budget});
  }
}

}  // namespace
}  // namespace posse::test_equality
