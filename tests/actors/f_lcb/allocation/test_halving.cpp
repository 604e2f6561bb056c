// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <cmath>
#include <map>

#include "actors/f_lcb/allocation/asha.hpp"
#include "actors/f_lcb/allocation/rung_allocation.hpp"
#include "actors/f_lcb/allocation/simple_allocations.hpp"

namespace test_halving {

using namespace posse;

namespace {

/// Arm i's loss after k pulls: i + 1 + 1/k; so arm 0 is best at every k.
double loss(const Pull& pull, std::uint64_t k) { return pull.arm + 1 + 1 / static_cast<double>(k); }

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

RungAllocation halving(std::uint64_t arms, std::uint64_t budget, std::uint32_t parallel) {
  return {arms, halving_of_budget(arms, budget), parallel, Seed{1}};
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
    auto sh = halving(8, 50, parallel);
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
  auto sh = halving(4, 8, 1);
  play(sh, 1, [](const Pull& pull, std::uint64_t k) {
    return pull.arm == 3 && k == 1 ? 0.0 : 1.0 + pull.arm;
  });
  CHECK(sh.answer() == 3);
}

TEST_CASE("budgets that end anywhere are kept") {
  for (std::uint64_t budget = 1; budget < 40; ++budget) {
    for (const std::uint32_t parallel : {1U, 2U}) {
      auto sh = halving(5, budget, parallel);
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
    const auto plan = hyperband_of_2025(eta, budget);
    CHECK(plan.pulls() == pulls);
    for (const std::uint32_t parallel : {1U, 4U}) {
      RungAllocation hyperband(11, plan, parallel, Seed{7});
      const auto made = play(hyperband, parallel, loss);
      CHECK(total(made) == pulls);
      CHECK(std::all_of(
          made.begin(), made.end(), [&](const auto& m) { return m.second <= plan.longest(); }));
      // Copies of an arm are numbered without gaps, and each bracket takes every arm before any
      // twice.
      std::map<std::uint32_t, std::uint32_t> copies;
      for (const auto& [pull, _] : made) CHECK(pull.second == copies[pull.first]++);
    }
  }
}

TEST_CASE("halving makes the pulls of its plan, arm by arm") {
  // Each arm is better than the one before; 1 1 1 1 3 3 8 14 and 1 1 1 1 3 3 7 7.
  const auto pulls_of = [](RungPlan plan, std::size_t arms) {
    RungAllocation halving(arms, std::move(plan), 1, Seed{1});
    std::vector<std::uint64_t> pulls(arms);
    for (const auto& [pull, made] :
         play(halving, 1, [&](const Pull&pull, std::uint64_t k) { return -loss(pull, k); }))
      pulls[pull.first] += made;
    CHECK(halving.answer() == arms - 1);
    return pulls;
  };
  using Pulls = std::vector<std::uint64_t>;
  CHECK(pulls_of(halving_of_budget(8, 32), 8) == Pulls{1, 1, 1, 1, 3, 3, 8, 14});
  CHECK(pulls_of(halving_of_budget(8, 24), 8) == Pulls{1, 1, 1, 1, 3, 3, 7, 7});
  CHECK(pulls_of(halving_to(8, 2, 1, 8), 8) == Pulls{1, 1, 1, 1, 2, 2, 4, 8});
  CHECK(pulls_of(halving_to(3, 2, 5, 5), 3) == Pulls{5, 5, 5});
}

TEST_CASE("rungs that add no pulls only sort out") {
  // 1, 1.1, 1.21 … are rounded up to 1, 2, 2 …, and one in 1.1 arms goes on: 11, 10, 9 … arms.
  const auto plan = halving_to(11, 1.1, 1, 3);
  CHECK(plan.text() == "11 at 1, 10 at 2, 9 at 2, 8 at 2, 7 at 2, 6 at 2, 5 at 2, 4 at 2, 3 at 3");
  RungAllocation halving(11, plan, 4, Seed{1});
  CHECK(total(play(halving, 4, loss)) == plan.pulls());
  CHECK(halving.answer() == 0);
}

TEST_CASE("plans of halving cost what the sum of their rungs is") {
  CHECK(halving_to(8, 2, 1, 8).pulls() == 20);
  CHECK(halving_to(8, 2, 1, 8).text() == "8 at 1, 4 at 2, 2 at 4, 1 at 8");
  CHECK(halving_to(27, 3, 1, 27).pulls() == 81);
  CHECK(halving_to(16, 2, 2, 16).pulls() == 80);
  CHECK(halving_to(20, 3, 1, 50).pulls() == 85);
  CHECK(halving_to(20, 3, 1, 50).text() == "20 at 1, 6 at 3, 2 at 9, 1 at 27, 1 at 50");
}

// Li et al. (2018), Table 1: R = 81, eta = 3.
TEST_CASE("a round of Hyperband's brackets") {
  const auto plan = [](double eta, std::uint64_t least, std::uint64_t longest) {
    return hyperband_to(eta, least, longest, 0);
  };
  CHECK(plan(3, 1, 27).text() ==
        "27 at 1, 9 at 3, 3 at 9, 1 at 27; 12 at 3, 4 at 9, 1 at 27; 6 at 9, 2 at 27; 4 at 27");
  CHECK(plan(3, 1, 27).pulls() == 357);
  CHECK(plan(2, 1, 8).pulls() == 98);
  CHECK(plan(3, 1, 81).text() ==
        "81 at 1, 27 at 3, 9 at 9, 3 at 27, 1 at 81; 34 at 3, 11 at 9, 3 at 27, 1 at 81; "
        "15 at 9, 5 at 27, 1 at 81; 8 at 27, 2 at 81; 5 at 81");
  CHECK(plan(3, 1, 81).pulls() == 1581);
  CHECK(plan(3, 1, 50).pulls() == 673);
  CHECK(plan(3, 1, 50).brackets[0][0].pulls == 2);
  CHECK(plan(5, 2, 50).pulls() == 400);
}

TEST_CASE("Hyperband takes the longest runs and the most rounds that fit in the budget") {
  struct Fit {
    std::uint64_t budget;
    double eta;
    std::uint64_t longest, rounds, pulls;
  };
  for (const auto& [budget, eta, longest, rounds, pulls] : std::vector<Fit>{{500, 3, 36, 1, 488},
                                                                            {100, 3, 12, 1, 96},
                                                                            {32, 2, 4, 1, 28},
                                                                            {24, 2, 3, 2, 22},
                                                                            {10, 2, 2, 1, 7}}) {
    CAPTURE(budget, eta);
    REQUIRE(hyperband_longest(eta, 1, budget) == longest);
    const auto plan = hyperband_to(eta, 1, longest, budget);
    CHECK(plan.rounds == rounds);
    CHECK(plan.pulls() == pulls);
    for (const std::uint32_t parallel : {1U, 5U}) {
      RungAllocation hyperband(8, plan, parallel, Seed{3});
      const auto made = play(hyperband, parallel, loss);
      CHECK(total(made) == pulls);
      for (const auto& [_, each] : made) CHECK(each <= longest);
      CHECK(hyperband.answer() == 0);
    }
  }
  CHECK(!hyperband_longest(2, 1, 6));
  CHECK(!hyperband_longest(3, 1, 10));
  CHECK(hyperband_shortest(2, 1) == 2);
  CHECK(hyperband_to(2, 1, 2, 0).pulls() == 7);
  CHECK(hyperband_to(3, 1, 3, 0).pulls() == 11);
}

TEST_CASE("no longer run fits than Hyperband's longest", "[long]") {
  for (const double eta : {1.1, 1.5, 2.0, 2.7, 3.0, 5.0})
    for (const std::uint64_t least : {1, 3})
      for (std::uint64_t budget = 1; budget < 400; budget += 7) {
        CAPTURE(eta, least, budget);
        std::optional<std::uint64_t> longest;
        for (std::uint64_t r = hyperband_shortest(eta, least); 2 * r <= budget; ++r)
          if (hyperband_to(eta, least, r, 0).pulls() <= budget) longest = r;
        CHECK(hyperband_longest(eta, least, budget) == longest);
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
