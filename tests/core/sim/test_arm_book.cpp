// SPDX-License-Identifier: Apache-2.0
// The accounts of a functional bandit, by hand: two arms with minima 1 and 2.
#include <catch2/catch.hpp>
#include <cmath>
#include <tuple>

#include "core/base/check.hpp"
#include "core/optimizer/optimizer.hpp"
#include "core/sim/arm_book.hpp"

namespace posse::test_arm_book {
namespace {

ArmSet two_arms(std::optional<double> second = 2.0) {
  ArmSet set;
  set.arms.resize(2);
  set.arms[0].name = "a";
  set.arms[0].minimum = 1;
  set.arms[0].start = [](std::uint32_t) { return nullptr; };
  set.arms[1] = set.arms[0];
  set.arms[1].name = "b";
  set.arms[1].minimum = second;
  return set;
}

struct Pull {
  std::uint32_t arm, instance;
  double value, bound;
};
/// Pull i, from 0, at i + 1 seconds.
void pull(ArmBook& book, const std::vector<Pull>& pulls) {
  std::int64_t second = 0;
  for (const Pull& p : pulls)
    book.pulled(Time{++second * 1'000'000'000}, {p.arm, p.instance, 0, p.value, p.bound});
}

/// Pulls, seconds and value of a metric's points.
using Points = std::vector<std::tuple<std::uint64_t, double, double>>;
Points points(const SimulationResult& result, std::string_view metric) {
  Points found;
  for (const auto& p : result.regret_curve)
    if (p.metric == metric) {
      CHECK(p.rounds == std::min<std::uint64_t>(p.evaluations, 4));
      found.emplace_back(p.evaluations, p.virtual_s, p.value);
    }
  return found;
}
/// As if a round had ended after each of the first four pulls.
SimulationResult conclude(ArmBook& book) {
  SimulationResult result;
  RoundTable rounds(true);
  for (std::uint32_t round = 1; round <= 4; ++round) {
    rounds.row(Round{round}).reporter = NodeId{0};
    rounds.row(Round{round}).record.steps = round;
  }
  rounds.conclude(result.outcome);
  book.conclude(rounds, result);
  return result;
}

const std::vector<Pull> kPulls{
    {0, 0, 5, 8}, {1, 0, 4, 7}, {0, 0, 3, 6}, {0, 1, 2, 5}, {0, 0, 6, 4}};

}  // namespace

TEST_CASE("regrets of pulls, and of what was known when an instance was selected again") {
  const ArmSet set = two_arms();
  ArmBook book(set);
  pull(book, kPulls);
  const auto result = conclude(book);
  const Points cumulative{{1, 1, 4}, {2, 2, 7}, {3, 3, 9}, {4, 4, 10}, {5, 5, 15}};
  CHECK(points(result, "cumulative_regret") == cumulative);
  CHECK(points(result, "local_cumulative_regret") == cumulative);
  const Points simple{{1, 1, 4}, {2, 2, 3}, {3, 3, 2}, {4, 4, 1}, {5, 5, 1}};
  CHECK(points(result, "simple_regret") == simple);
  CHECK(points(result, "local_simple_regret") == simple);
  // Instance 0 of arm 0 is selected again with bound 8 at 5, then with 6 at 3.
  CHECK(points(result, "bounds_at_selection") ==
        Points{{1, 1, 0}, {2, 2, 0}, {3, 3, 8}, {4, 4, 8}, {5, 5, 14}});
  CHECK(points(result, "regret_at_selection") ==
        Points{{1, 1, 0}, {2, 2, 0}, {3, 3, 4}, {4, 4, 4}, {5, 5, 6}});
  const auto& arms = result.outcome.arms;
  CHECK(arms.bounds_at_selection == 14);
  CHECK(arms.last_regret_at_selection == 6);
  CHECK(arms.best_regret_at_selection == 6);
  CHECK(arms.pulls == 5);
  CHECK_FALSE(arms.answer);
  const auto& regret = result.outcome.regret;
  CHECK(regret.cumulative == 15);
  CHECK(regret.local_cumulative == 15);
  CHECK(regret.simple == 1);
  CHECK(regret.evaluations == 5);
  CHECK(regret.min_evaluations == 5);
  CHECK(regret.max_evaluations == 5);
}

TEST_CASE("the last value at selection is that of the pull before, the best one the smallest") {
  const ArmSet set = two_arms();
  ArmBook book(set);
  pull(book, {{0, 0, 3, 1}, {0, 0, 5, 1}, {0, 0, 4, 1}, {0, 0, 9, 1}});
  RunOutcome out;
  book.fill(out);
  CHECK(out.arms.last_regret_at_selection == 2 + 4 + 3);
  CHECK(out.arms.best_regret_at_selection == 2 + 2 + 2);
  CHECK(out.arms.bounds_at_selection == 3);
}

TEST_CASE("each arm's record has its pulls, its last and best value, and when it was pulled") {
  const ArmSet set = two_arms();
  ArmBook book(set);
  pull(book, kPulls);
  book.answered({1});
  const auto result = conclude(book);
  const auto& arms = result.outcome.arms;
  REQUIRE(arms.arms.size() == 2);
  CHECK(arms.arms[0].name == "a");
  CHECK(arms.arms[0].optimum == 1);
  CHECK(arms.arms[0].pulls == 4);
  CHECK(arms.arms[0].last == 6);
  CHECK(arms.arms[0].best == 2);
  CHECK(arms.arms[0].bound == 4);
  CHECK(arms.arms[0].last_pull == 5);
  CHECK(arms.arms[0].last_pulled == Time{5'000'000'000});
  CHECK(arms.arms[1].pulls == 1);
  CHECK(arms.arms[1].last_pull == 2);
  CHECK(arms.answer == 1U);
  // The answered arm's smallest value counts in the end, on the curve too.
  CHECK(result.outcome.regret.simple == 3);
  CHECK(points(result, "simple_regret").back() == std::tuple{5U, 5.0, 3.0});
  std::vector<std::tuple<std::uint32_t, std::uint64_t, std::uint64_t, double, double, double>>
      curve;
  for (const auto& p : result.arm_curves) {
    curve.emplace_back(p.arm, p.pulls, p.total_pulls, p.value, p.best, p.bound);
    CHECK(p.virtual_s == static_cast<double>(p.total_pulls));
  }
  CHECK(curve == decltype(curve){{0, 1, 1, 5, 5, 8},
                                 {0, 2, 3, 3, 3, 6},
                                 {0, 3, 4, 2, 2, 5},
                                 {0, 4, 5, 6, 2, 4},
                                 {1, 1, 2, 4, 4, 7}});
}

TEST_CASE("curves have points at checkpoints and at the end only") {
  const ArmSet set = two_arms();
  ArmBook book(set);
  pull(book, std::vector<Pull>(12, {0, 0, 2, 1}));
  const auto result = conclude(book);
  std::vector<std::uint64_t> whole, arm;
  for (const auto& [pulls, seconds, value] : points(result, "cumulative_regret")) {
    whole.push_back(pulls);
    CHECK(value == static_cast<double>(pulls));
  }
  for (const auto& p : result.arm_curves) arm.push_back(p.pulls);
  const std::vector<std::uint64_t> expected{1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12};
  CHECK(whole == expected);
  CHECK(arm == expected);
}

TEST_CASE("arms with rewards: simple regret is that of the present answer's mean") {
  ArmSet set = two_arms();
  for (auto& arm : set.arms) arm.reward = [](std::uint64_t) { return 0.0; };
  ArmBook book(set);
  book.answered({1});
  book.pulled(Time{1'000'000'000}, {1, 0, 1, 2, 0});
  book.answered({0});
  book.pulled(Time{2'000'000'000}, {0, 0, 1, 1, 0});
  const auto result = conclude(book);
  CHECK(points(result, "simple_regret") == Points{{1, 1, 1}, {2, 2, 0}});
  CHECK(points(result, "regret_at_selection").empty());
}

TEST_CASE("without every minimum, or without a pull, there are no regrets") {
  const ArmSet unknown = two_arms(std::nullopt);
  ArmBook book(unknown);
  pull(book, kPulls);
  const auto result = conclude(book);
  CHECK_FALSE(result.outcome.regret.simple);
  CHECK(result.outcome.regret.evaluations == 0);
  CHECK(result.regret_curve.empty());
  CHECK(result.arm_curves.size() == 5);
  const ArmSet set = two_arms();
  ArmBook idle(set);
  CHECK(conclude(idle).regret_curve.empty());
  ArmBook wrong(set);
  CHECK_THROWS_AS(wrong.pulled({}, {2, 0, 0, 1, 1}), CheckFailure);
}

}  // namespace posse::test_arm_book
