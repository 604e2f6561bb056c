// SPDX-License-Identifier: Apache-2.0
// Policies of stochastic bandits, against transcriptions that recompute everything every time.
#include <algorithm>
#include <boost/math/distributions/cauchy.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <boost/random/normal_distribution.hpp>
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <memory>
#include <set>

#include "actors/reward_bandit/policy/rucb_median.hpp"
#include "actors/reward_bandit/policy/sgd_ucb_smom.hpp"
#include "core/base/median.hpp"
#include "tests/support/arms.hpp"

namespace posse::test_reward_policies {
namespace {

using Numbers = std::vector<double>;
using Histories = std::vector<Numbers>;  // all rewards, by arm

/// Draws what the policy asks for until it ends; calls decide(histories, draw) before each.
template <class Decide>
Histories play(RewardPolicy& policy, const ArmSet& arms, Decide decide) {
  Histories histories(arms.size());
  while (const auto draw = policy.next()) {
    decide(histories, *draw);
    Numbers rewards;
    auto& all = histories[draw->arm];
    for (std::uint32_t j = 0; j < draw->count; ++j) {
      rewards.push_back(arms.arms[draw->arm].reward(all.size()));
      all.push_back(rewards.back());
    }
    policy.take(*draw, rewards);
  }
  return histories;
}

double pseudo_regret(const ArmSet& arms, const Histories& histories) {
  double regret = 0;
  for (std::size_t i = 0; i < arms.size(); ++i)
    regret += static_cast<double>(histories[i].size()) * (*arms.arms[i].minimum - *arms.minimum());
  return regret;
}

std::size_t rewards_in(const Histories& histories) {
  std::size_t total = 0;
  for (const auto& rewards : histories) total += rewards.size();
  return total;
}

std::uint32_t first_largest(const Numbers& values) {
  return static_cast<std::uint32_t>(std::max_element(values.begin(), values.end()) -
                                    values.begin());
}

double sorted_median(Numbers values) {
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  return n % 2 == 1 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

double mean_of(const Numbers& values, std::size_t from, std::size_t count) {
  double sum = 0;
  for (std::size_t j = from; j < from + count; ++j) sum += values[j];
  return sum / static_cast<double>(count);
}

/// x_i from all rewards of the arm: the median of the first 2m + 1, then a step per (2m + 1) n.
double literal_x(
    const Numbers& y, std::size_t arm, const SmomOptions& o, double gamma, std::uint64_t seed) {
  const std::size_t means = 2 * o.m + 1;
  double x = sorted_median(Numbers(y.begin(), y.begin() + static_cast<std::ptrdiff_t>(means)));
  std::uint64_t update = 0;
  for (std::size_t at = means; at + means * o.n <= y.size(); at += means * o.n) {
    DrawEngine engine(stream_key(Seed{seed}, "smoothing", "arm-" + std::to_string(arm + 1)),
                      update++);
    boost::random::normal_distribution<double> normal;
    Numbers smoothed;
    for (std::size_t j = 0; j < means; ++j)
      smoothed.push_back(mean_of(y, at + j * o.n, o.n) + o.theta * normal(engine));
    const double gradient = x - sorted_median(smoothed);
    x -= gamma * std::max(-o.clip, std::min(o.clip, gradient));
  }
  return x;
}

double literal_smom_index(double x, double n, double t, const SmomOptions& o) {
  if (o.index == SmomIndex::estimate) return x + o.c * std::sqrt(std::log(t) / n);
  if (o.index == SmomIndex::functional) return x * x / 2 + o.c / std::sqrt(n);
  return -(x * x / 2) + o.c / std::sqrt(n);
}

double literal_median_of_means(const Numbers& y, double t) {
  const auto k = static_cast<std::size_t>(
      std::floor(std::min(1 + 16 * std::log(1 + t), static_cast<double>(y.size()) / 2)));
  const std::size_t length = y.size() / k;
  Numbers means;
  for (std::size_t j = 0; j < k; ++j) means.push_back(mean_of(y, j * length, length));
  return sorted_median(means);
}

test::Given tails(std::uint64_t trial) {
  if (trial % 2 == 0) return {};
  return {{"noise", std::string("student-t")}, {"degrees", 0.5}};
}

/// Mean pseudo-regret of SGD-UCB-SMoM-F over trials, at a horizon.
double mean_regret(SmomIndex index, std::uint64_t budget) {
  constexpr int kTrials = 30;
  double sum = 0;
  for (std::uint64_t trial = 0; trial < kTrials; ++trial) {
    const auto arms = test::arms("rewards", {}, 100 + trial, budget);
    SmomOptions options;
    options.c = 1;
    options.index = index;
    SgdUcbSmom policy(arms->size(), budget, options, Seed{100 + trial});
    sum += pseudo_regret(*arms, play(policy, *arms, [](const auto&, const auto&) {}));
  }
  return sum / kTrials;
}

}  // namespace

TEST_CASE("the median is the middle value, or the mean of the two in the middle") {
  const auto of = [](Numbers values) { return median(values); };
  CHECK(of({5}) == 5);
  CHECK(of({3, 1, 2}) == 2);
  CHECK(of({4, 1, 3, 2}) == 2.5);
  CHECK(of({7, -1e300, 7, 7}) == 7);
  for (std::uint64_t trial = 0; trial < 200; ++trial) {
    DrawEngine draws(stream_key(Seed{1}, "test", "median"), trial);
    Numbers values(1 + draws() % 40);
    for (auto& v : values) v = std::floor(10 * draws.uniform());
    CHECK(median(values) == sorted_median(values));
  }
}

TEST_CASE("SGD-UCB-SMoM decides as its definition, recomputed from all rewards, says", "[long]") {
  std::set<std::uint32_t> played;
  for (std::uint64_t trial = 0; trial < 9; ++trial) {
    SmomOptions options;
    options.index =
        std::vector{SmomIndex::estimate, SmomIndex::functional, SmomIndex::printed}[trial % 3];
    if (options.index != SmomIndex::estimate) options.c = 1;
    if (trial >= 6) options.m = 2, options.n = 3, options.theta = 0.1, options.clip = 0.5;
    if (trial >= 6) options.step = 0.05;
    const std::uint64_t budget = trial < 3 ? 12'001 : 3'000;
    const auto arms = test::arms("rewards", tails(trial), trial, budget);
    const double t = static_cast<double>(budget);
    const double gamma = options.step.value_or(1 / std::log(4 * (t + 1) * t * t));
    const std::uint32_t first = 2 * options.m + 1;
    SgdUcbSmom policy(arms->size(), budget, options, Seed{trial});
    std::uint64_t decisions = 0;
    // x of each arm, recomputed when it has new rewards.
    Numbers x(arms->size()), known(arms->size());
    const auto recompute = [&](const Histories& all) {
      for (std::size_t i = 0; i < all.size(); ++i)
        if (const auto n = static_cast<double>(all[i].size()); n != known[i]) {
          x[i] = literal_x(all[i], i, options, gamma, trial);
          known[i] = n;
        }
    };
    const auto histories = play(policy, *arms, [&](const Histories& all, const RewardDraw& draw) {
      const auto total = rewards_in(all);
      ++decisions;
      if (decisions <= arms->size()) {
        REQUIRE(draw == RewardDraw{static_cast<std::uint32_t>(decisions - 1), first});
        return;
      }
      recompute(all);
      Numbers indices;
      for (std::size_t i = 0; i < all.size(); ++i)
        indices.push_back(literal_smom_index(
            x[i], static_cast<double>(all[i].size()), static_cast<double>(total), options));
      const std::uint64_t batch = first * options.n;
      REQUIRE(draw.arm == first_largest(indices));
      REQUIRE(draw.count == std::min(batch, budget - total));
      played.insert(draw.arm);
    });
    recompute(histories);
    CHECK(rewards_in(histories) == budget);
    CHECK(decisions == SgdUcbSmom::plan_of(arms->size(), budget, options).decisions());
    for (std::uint32_t i = 0; i < arms->size(); ++i) {
      CHECK(policy.estimate(i) == Approx(x[i]).epsilon(1e-12));
      CHECK(policy.pulls(i) == histories[i].size());
    }
    CHECK(policy.answer() == first_largest(x));
  }
  CHECK(played.size() > 5);  // the agreement isn't that of one arm
}

TEST_CASE("RUCB-Median decides as its definition, recomputed from all rewards, says") {
  std::set<std::uint32_t> played;
  for (std::uint64_t trial = 0; trial < 8; ++trial) {
    const RucbOptions options =
        trial < 4 ? RucbOptions{0, 0.9} : RucbOptions{1, trial < 6 ? 1.0 : 0.01};
    constexpr std::uint64_t kBudget = 2500;
    const auto arms = test::arms("rewards", tails(trial), 50 + trial, kBudget);
    RucbMedian policy(arms->size(), kBudget, options);
    const auto histories = play(policy, *arms, [&](const Histories& all, const RewardDraw& draw) {
      const auto total = rewards_in(all);
      if (total < 2 * arms->size()) {
        REQUIRE(draw == RewardDraw{static_cast<std::uint32_t>(total / 2), 2});
        return;
      }
      Numbers indices;
      const auto t = static_cast<double>(total);
      for (std::uint32_t i = 0; i < all.size(); ++i) {
        const double estimate = literal_median_of_means(all[i], t);
        REQUIRE(policy.estimate(i) == Approx(estimate).epsilon(1e-9));
        const double e = options.epsilon;
        indices.push_back(estimate + std::pow(12 * options.v, 1 / (1 + e)) *
                                         std::pow(16 * (0.125 + 2 * std::log(1 + t)) /
                                                      static_cast<double>(all[i].size()),
                                                  e / (1 + e)));
      }
      REQUIRE(draw == RewardDraw{first_largest(indices), 1});
      played.insert(draw.arm);
    });
    CHECK(rewards_in(histories) == kBudget);
    CHECK(RucbMedian::plan_of(arms->size(), kBudget).decisions() == kBudget - arms->size());
  }
  CHECK(played.size() > 5);
}

TEST_CASE("a huge reward doesn't drown the rewards after it in RUCB-Median's sums") {
  RucbMedian policy(1, 4000, {0, 0.9});
  double k = 0;
  while (const auto draw = policy.next()) {
    Numbers rewards;
    for (std::uint32_t j = 0; j < draw->count; ++j) {
      rewards.push_back(k == 0 ? 1e18 : 0.25);
      ++k;
    }
    policy.take(*draw, rewards);
  }
  CHECK(policy.estimate(0) == 0.25);
}

TEST_CASE(
    "SGD-UCB-SMoM-F has linear regret with the printed index, sublinear regret with the corrected "
    "one") {
  // Four times the pulls: four times the regret, or at most three times.
  const double printed = mean_regret(SmomIndex::printed, 16'000);
  CHECK(printed > 3.5 * mean_regret(SmomIndex::printed, 4'000));
  CHECK(printed > 0.45 * 16'000);  // worse than every arm in turn
  const double functional = mean_regret(SmomIndex::functional, 16'000);
  CHECK(functional < 3 * mean_regret(SmomIndex::functional, 4'000));
  CHECK(functional < printed / 3);
}

TEST_CASE("rewards are distributed as stated, and the same whoever asks in whatever order") {
  const boost::math::cauchy_distribution<double> cauchy;
  const boost::math::students_t_distribution<double> student(2.5);
  const boost::math::normal_distribution<double> normal;
  const std::vector<std::pair<std::string, std::function<double(double)>>> kinds{
      {"cauchy", [&](double z) { return cdf(cauchy, z); }},
      {"student-t", [&](double z) { return cdf(student, z); }},
      {"normal", [&](double z) { return cdf(normal, z); }}};
  for (const auto& [noise, distribution] : kinds) {
    INFO(noise);
    const auto set =
        test::arms("rewards",
                   {{"noise", noise}, {"scale", 3.0}, {"degrees", 2.5}, {"means", Numbers{0.4, 7}}},
                   1,
                   10);
    REQUIRE(set->size() == 2);
    CHECK(set->minimum() == -7);
    CHECK(set->arms[0].minimum == -0.4);
    const auto& reward = set->arms[1].reward;
    constexpr int kDraws = 40'000;
    Numbers draws(kDraws);
    for (std::size_t k = kDraws; k-- > 0;) draws[k] = reward(k);
    CHECK(draws[17] == reward(17));
    CHECK(draws[17] - 7 != set->arms[0].reward(17) - 0.4);
    for (const double z : {-20.0, -2.0, -0.5, 0.0, 0.3, 1.0, 5.0}) {
      const auto below = static_cast<double>(
          std::count_if(draws.begin(), draws.end(), [&](double y) { return y <= 7 + 3 * z; }));
      const double p = distribution(z);
      // Five standard deviations: false alarm of 6e-7 for each of the 21 comparisons.
      CHECK(std::abs(below - kDraws * p) <= 5 * std::sqrt(kDraws * p * (1 - p)) + 1);
    }
    CHECK(test::arms("rewards", {{"noise", noise}}, 2, 10)->arms[1].reward(0) !=
          test::arms("rewards", {{"noise", noise}}, 3, 10)->arms[1].reward(0));
  }
}

TEST_CASE("without options there are the ten arms of Appendix D") {
  const auto set = test::arms("rewards", {}, 1, 10);
  REQUIRE(set->size() == 10);
  for (std::size_t i = 0; i < 10; ++i)
    CHECK(*set->arms[i].minimum == Approx(-static_cast<double>(i) / 10));
  CHECK(test::complaint([] {
          test::family("rewards", {{"means", Numbers{}}});
        }) == "at least one arm is needed");
}

}  // namespace posse::test_reward_policies
