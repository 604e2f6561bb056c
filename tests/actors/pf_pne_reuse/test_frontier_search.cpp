// SPDX-License-Identifier: Apache-2.0
// Frontier search by itself. What it does pull by pull is checked against a simulation in
// tests/core/algorithm/test_pf_pne_reuse.cpp.
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <map>
#include <random>

#include "actors/pf_pne_reuse/frontier_search.hpp"

namespace posse::test_frontier_search {
namespace {

Partition intervals(std::uint32_t arity = 2) {
  return Partition(Box::cube(1, 0, 1), PartitionKind::cyclic, arity);
}

/// Pulls `budget` times; the reward of the cell with centre x is reward(x).
void run(FrontierSearch& search,
         const Partition& partition,
         std::uint64_t budget,
         const std::function<double(double)>& reward) {
  while (budget > 0) {
    const auto pulls = search.next(budget);
    REQUIRE(pulls.count > 0);
    REQUIRE(pulls.count <= budget);
    double sum = 0;
    for (std::uint64_t i = 0; i < pulls.count; ++i) sum += reward(partition.point(pulls.cell)[0]);
    search.tell(sum);
    budget -= pulls.count;
  }
}

TEST_CASE("frontier search keeps the optimum's leaf, given (A) and rewards within their radii") {
  std::mt19937 random(63);
  const auto unit = [&] { return static_cast<double>(random() % 10000) / 10000; };
  const auto partition = intervals();
  for (int trial = 0; trial < 100; ++trial) {
    const double a = unit();
    const double c = 0.001 + 0.1 * unit();
    FrontierSearch search(partition, {.clients = 1, .horizon = 2000, .c = c});
    search.add_leaf({0, 1}, 0, 0);
    // 0.8 - 2 |x - a| has nu1 = 1 and rho = 1/2. A cell's errors alternate: its mean of n rewards
    // is off by c / (2 n) at most, which is less than c sqrt(Lambda / n).
    std::map<double, double> errors;  // the next one, by the cell's centre
    run(search, partition, 2000, [&](double x) {
      double& error = errors.try_emplace(x, trial % 2 == 0 ? c / 2 : 0).first->second;
      error = -error;
      return 0.8 - 2 * std::abs(x - a) + error;
    });
    bool kept = false;
    for (const auto& cell : search.leaves()) {
      const auto box = partition.bounds(cell);
      kept = kept || (box.low[0] <= a && a <= box.high[0]);
    }
    INFO("trial " << trial << ", maximum at " << a << ", c " << c);
    REQUIRE(kept);
    REQUIRE_FALSE(search.refuted());
    REQUIRE(search.depth() >= 4);
  }
}

TEST_CASE("frontier search starts from the samples it is given") {
  const auto partition = intervals();
  const theory::ReuseParameters p{.clients = 1, .horizon = 1000, .c = 0.01};
  FrontierSearch search(partition, p);
  std::uint64_t room = 1000;
  search.add_parent({1, 2}, 0.9, 1, room);  // inner: its children are leaves
  CHECK(room == 998);
  search.add_leaf({1, 1}, 0.1, 1);  // 0.1 + 0.5 + r is below 0.9 - r: dropped
  CHECK(search.best() == Cell{1, 2});
  CHECK(search.leaves() == std::vector<Cell>{{2, 3}, {2, 4}});
  CHECK(search.next(998).cell == Cell{2, 3});  // unsampled leaves first, ascending
  search.tell(0.85);
  CHECK(search.next(997).cell == Cell{2, 4});
  search.tell(0.2);  // 0.2 + 0.25 + r: dropped
  CHECK(search.leaves() == std::vector<Cell>{{2, 3}});
  CHECK(search.best() == Cell{1, 2});
  // A single leaf with a sample is split at once.
  CHECK(search.next(996).cell == Cell{3, 5});
  CHECK(search.depth() == 2);
}

TEST_CASE("frontier search pulls the best cell for good once every leaf is refuted") {
  const auto partition = intervals();
  // Nothing is as smooth as nu1 = 1e-6 says.
  FrontierSearch search(partition, {.clients = 1, .horizon = 1000, .nu1 = 1e-6, .c = 1e-9});
  search.add_inner({1, 1}, 0.7, 1);
  search.add_leaf({2, 1}, 0, 0);
  search.add_leaf({2, 2}, 0, 0);
  for (std::uint64_t left = 1000; left > 998; --left) {
    CHECK(search.next(left).count == 1);
    search.tell(0.5);
  }
  const auto rest = search.next(998);
  CHECK(rest.cell == Cell{1, 1});
  CHECK(rest.count == 998);
  CHECK(search.refuted());
  CHECK(search.leaves() == std::vector<Cell>{{1, 1}});
}

TEST_CASE("frontier search makes no children that the pulls left can't reach") {
  const auto partition = intervals(10);
  FrontierSearch search(partition, {.clients = 1, .horizon = 25});
  std::uint64_t room = 25;
  for (std::uint64_t i = 1; i <= 3; ++i) search.add_parent({1, i}, 0.5, 1, room);
  CHECK(room == 5);
  CHECK(search.leaves().size() == 21);  // the third stayed a leaf
  FrontierSearch single(partition, {.clients = 1, .horizon = 25});
  single.add_leaf({0, 1}, 0.5, 1);
  const auto pulls = single.next(9);  // too few for ten children
  CHECK(pulls.cell == Cell{0, 1});
  CHECK(pulls.count == 9);
}

}  // namespace
}  // namespace posse::test_frontier_search
