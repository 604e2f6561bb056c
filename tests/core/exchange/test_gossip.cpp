// SPDX-License-Identifier: Apache-2.0
// Gossip: what a step does to the error, and who is paired with whom.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <numeric>
#include <vector>

#include "core/exchange/gossip.hpp"
#include "core/theory/all_to_all_cost.hpp"

namespace posse::test_gossip {
namespace {

double squared_error(const std::vector<double>& values) {
  const double mean =
      std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  double sum = 0;
  for (const double x : values) sum += (x - mean) * (x - mean);
  return sum / static_cast<double>(values.size());
}

}  // namespace

TEST_CASE("over all permutations a gossip step shrinks the squared error as stated") {
  for (std::uint32_t m = 2; m <= 8; ++m) {
    INFO(m << " players");
    std::vector<double> values;
    for (std::uint32_t i = 0; i < m; ++i) values.push_back(i * i + (i % 3 == 0 ? 7.5 : -0.25));
    std::vector<std::uint32_t> permutation(m);
    std::iota(permutation.begin(), permutation.end(), 0);
    double sum = 0, permutations = 0;
    do {
      std::vector<double> after;
      for (std::uint32_t i = 0; i < m; ++i) {
        const auto partner = paired_with(NodeId{i}, permutation);
        after.push_back(partner ? (values[i] + values[partner->value]) / 2 : values[i]);
      }
      sum += squared_error(after);
      ++permutations;
    } while (std::next_permutation(permutation.begin(), permutation.end()));
    const double ratio = sum / permutations / squared_error(values);
    const double stated = m % 2 == 0 ? (m - 2.0) / (2 * (m - 1.0)) : 0.5;
    CHECK(ratio == Approx(stated).epsilon(1e-12).margin(1e-12));
    CHECK(theory::gossip_shrinkage(m) == stated);
  }
}

TEST_CASE("partners name each other, and at most one player stays alone") {
  for (const std::uint32_t m : {1, 2, 3, 4, 7, 10, 33})
    for (std::uint32_t step = 0; step < 20; ++step) {
      const GossipPlan plan(Seed{m}, m, 20);
      std::uint32_t alone = 0;
      for (std::uint32_t i = 0; i < m; ++i) {
        const auto partner = plan.partner(3, step, NodeId{i});
        alone += !partner;
        if (!partner) continue;
        REQUIRE(partner != NodeId{i});
        REQUIRE(plan.partner(3, step, *partner) == NodeId{i});
      }
      REQUIRE(alone == m % 2);
      REQUIRE(plan.decider(step).value < m);
    }
}

TEST_CASE("all pairs and all deciders are equally likely") {
  // Chi-square; 99.9999 % quantiles for 9 and 4 degrees of freedom: 45.1 and 33.4.
  constexpr std::uint32_t kPlayers = 5, kLevels = 5000, kSteps = 4;
  const GossipPlan plan(Seed{11}, kPlayers, kSteps);
  std::map<std::pair<std::uint32_t, std::uint32_t>, double> pairs;
  std::vector<double> deciders(kPlayers);
  for (std::uint32_t level = 0; level < kLevels; ++level) {
    ++deciders[plan.decider(level).value];
    for (std::uint32_t step = 0; step < kSteps; ++step)
      for (std::uint32_t i = 0; i < kPlayers; ++i)
        if (const auto partner = plan.partner(level, step, NodeId{i}); partner > NodeId{i})
          ++pairs[{i, partner->value}];
  }
  REQUIRE(pairs.size() == 10);
  // Each pair has probability 1/5 in a step, and a step has 2 of the 10 pairs.
  const double expected = kLevels * kSteps / 5.0;
  double chi_square = 0;
  for (const auto& [pair, count] : pairs)
    chi_square += (count - expected) * (count - expected) / expected;
  CHECK(chi_square < 45.1);
  chi_square = 0;
  for (const double count : deciders)
    chi_square += (count - kLevels / 5.0) * (count - kLevels / 5.0) / (kLevels / 5.0);
  CHECK(chi_square < 33.4);
}

TEST_CASE(
    "the default number of steps adds at most a sixteenth to the variance, and no step less") {
  CHECK(theory::gossip_steps(1) == 0);
  CHECK(theory::gossip_steps(2) == 1);  // (1/3)^0 (m - 1) > 1/16 > 0
  CHECK(theory::gossip_steps(3) == 5);  // 2 / 2^5 = 1/16
  CHECK(theory::gossip_steps(4) == 4);  // 3 / 3^4 = 0.037
  for (std::uint32_t m = 2; m <= 300; ++m) {
    const auto steps = theory::gossip_steps(m);
    double extra = m - 1;  // variance of one player's mean over that of the average, less 1
    for (std::uint32_t step = 0; step < steps; ++step) {
      REQUIRE(extra > 1.0 / 16);
      extra *= m % 2 == 0 ? (m - 2.0) / (2 * (m - 1.0)) : 0.5;
    }
    REQUIRE(extra <= 1.0 / 16);
    REQUIRE(theory::gossip_error(m, steps) * (m - 1) == Approx(extra).margin(1e-15));
  }
}

}  // namespace posse::test_gossip
