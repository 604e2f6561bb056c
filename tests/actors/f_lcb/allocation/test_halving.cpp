// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <cmath>
#include <map>

#include "actors/f_lcb/allocation/halving.hpp"
#include "actors/f_lcb/allocation/simple_allocations.hpp"

namespace test_halving {

using namespace posse;

namespace {

/// Arm i's loss after k pulls: i + 1 + 1/k; so arm 0 is best at every k.
double loss(const Pull& pull, std::uint64_t k) { return pull.arm + 1 + 1 / static_cast<double>(k); }

struct Instance {
  std::uint64_t pulls = 0;
};
using Pulled = std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t>;

/// Answers pulls, the latest first; pulls made by (arm, copy).
template <class Loss>
Pulled play(Allocation& allocation, std::uint32_t parallel, Loss loss_of) {
  Pulled made;
  std::vector<Pull> under_way;
  for (;;) {
    allocation.start(under_way);
    REQUIRE(under_way.size() <= parallel);
    if (under_way.empty()) return made;
    const Pull pull = under_way.back();
    under_way.pop_back();
    const auto k = ++made[{pull.arm, pull.instance}];
    allocation.take(pull, {k, loss_of(pull, k), 0});
  }
}

std::uint64_t total(const Pulled& made) {
  std::uint64_t sum = 0;
  for (const auto& [_, pulls] : made) sum += pulls;
  return sum;
}

}  // namespace

TEST_CASE("successive halving pulls as its rounds say and gives the rest to the survivor") {
  // K = 8, T = 50: R = 3; rounds of 8, 4, 2 arms with 2, 4, 8 pulls each; 50 - 48 to the survivor.
  for (const std::uint32_t parallel : {1U, 3U, 8U}) {
    SuccessiveHalving sh(8, 50, parallel);
    const auto made = play(sh, parallel, loss);
    const Pulled expected = {{{0, 0}, 2 + 4 + 8 + 2},
                             {{1, 0}, 2 + 4 + 8},
                             {{2, 0}, 6},
                             {{3, 0}, 6},
                             {{4, 0}, 2},
                             {{5, 0}, 2},
                             {{6, 0}, 2},
                             {{7, 0}, 2}};
    CHECK(made == expected);
    CHECK(sh.answer() == 0);
  }
}

TEST_CASE("successive halving scores an arm by its smallest value at a round's end") {
  // Arm 3 is best after the first round (one pull each) and bad afterwards: it stays the answer.
  SuccessiveHalving sh(4, 8, 1);
  play(sh, 1, [](const Pull& pull, std::uint64_t k) {
    return pull.arm == 3 && k == 1 ? 0.0 : 1.0 + pull.arm;
  });
  CHECK(sh.answer() == 3);
}

TEST_CASE("budgets that end anywhere are kept") {
  for (std::uint64_t budget = 1; budget < 40; ++budget) {
    for (const std::uint32_t parallel : {1U, 2U}) {
      SuccessiveHalving sh(5, budget, parallel);
      CHECK(total(play(sh, parallel, loss)) == budget);
      CHECK(sh.answer() == 0);
      Asha asha(5, budget, 2, parallel);
      CHECK(total(play(asha, parallel, loss)) == budget);
      CHECK(asha.answer() == 0);
      GreedyAllocation uniform(5, budget, std::nullopt, Seed{1});
      const auto made = play(uniform, 1, loss);
      CHECK(total(made) == budget);
      for (const auto& [pull, pulls] : made)
        CHECK(pulls == budget / 5 + (pull.first < budget % 5 ? 1 : 0));
    }
  }
}

// The paper's own runs made 101 pulls for T = 100: 10 · 2.9^{-2} · 2.9^2 in floating point is a
// little above 10 and was rounded up to 11. The formula gives 100.
TEST_CASE("Hyperband makes as many pulls as its formula gives, which are the paper's") {
  const std::tuple<std::uint64_t, double, std::uint64_t> runs[] = {
      {50, 2, 48}, {100, 2.9, 100}, {200, 2.1, 200}, {350, 2.8, 362}, {500, 2.1, 518}};
  for (const auto& [budget, eta, pulls] : runs) {
    CAPTURE(budget, eta);
    CHECK(Hyperband::total_pulls(budget, eta) == pulls);
    for (const std::uint32_t parallel : {1U, 4U}) {
      Hyperband hyperband(11, budget, eta, parallel, Seed{7});
      const auto made = play(hyperband, parallel, loss);
      CHECK(total(made) == pulls);
      CHECK(std::all_of(made.begin(), made.end(), [&](const auto& m) {
        return m.second <= 2 * hyperband.longest();
      }));
      // Copies of an arm are numbered without gaps, and each bracket takes every arm before any
      // twice.
      std::map<std::uint32_t, std::uint32_t> copies;
      for (const auto& [pull, _] : made) CHECK(pull.second == copies[pull.first]++);
    }
  }
}

TEST_CASE("ASHA promotes the best of a rung once it holds eta values, highest rung first") {
  // eta = 2, one worker, losses by arm: 0 is worst. By hand: arms 0, 1 enter rung 0; 1 is the
  // better half: one more pull takes it to rung 1; arms 2, 3 enter; top 2 of 4 are 3, 2: 3 is
  // promoted, and then rung 1 holds {1, 3}: 3 goes on to rung 2 (two more pulls).
  Asha asha(4, 8, 2, 1);
  std::vector<std::uint32_t> order;
  play(asha, 1, [&](const Pull& pull, std::uint64_t) {
    order.push_back(pull.arm);
    return 10.0 - pull.arm;
  });
  CHECK(order == std::vector<std::uint32_t>{0, 1, 1, 2, 2, 2, 2, 3});
}

TEST_CASE("epsilon-greedy pulls everybody once, then the lowest bound but for a share epsilon") {
  GreedyAllocation greedy(4, 4000, 0.2, Seed{5});
  const auto made = play(greedy, 1, loss);
  CHECK(total(made) == 4000);
  // Arm 0 has the lowest value: 0.8 + 0.2/4 of the pulls; sd sqrt(4000 · 0.85 · 0.15) = 22.6.
  CHECK(std::abs(static_cast<double>(made.at({0, 0})) - 0.85 * 4000) < 4 * 22.6);
  for (const std::uint32_t arm : {1U, 2U, 3U})
    CHECK(std::abs(static_cast<double>(made.at({arm, 0})) - 200) < 4 * 14);
  CHECK(greedy.answer() == 0);
}

}  // namespace test_halving
