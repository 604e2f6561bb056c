// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

#include "core/learner/random_learner.hpp"

namespace posse::test_random_learner {
namespace {

TEST_CASE("random points are the numbered draws of their stream") {
  const StreamKey key = stream_key(Seed{3}, "explore", "player-0");
  const RandomPoints points({{-1, 2}, {1, 6}}, key);
  UniformStream draws(key);
  for (std::uint64_t i = 1; i <= 20; ++i)
    CHECK(points.point({0, i}) ==
          std::vector<double>{-1 + draws.at(2 * (i - 1)) * 2, 2 + draws.at(2 * (i - 1) + 1) * 4});
}

TEST_CASE("random search recommends its best single observation, the first among equals") {
  std::mt19937 random(1);
  RandomLearner learner({.horizon = 200});
  CHECK(learner.recommend() == Cell{0, 1});
  double best = -1;
  std::uint64_t at = 0;
  for (std::uint64_t t = 0; t < 300; ++t) {  // more than the horizon changes nothing
    CHECK(learner.next() == Cell{0, t + 1});
    const auto reward = static_cast<double>(random() % 50);
    if (reward > best) {
      best = reward;
      at = t + 1;
    }
    learner.tell(reward);
    REQUIRE(learner.recommend() == Cell{0, at});
  }
}

// "for noisy f the best of the last ceil(sqrt n) re-evaluated".
TEST_CASE("with noise the last ceil(sqrt n) evaluations go to the best ceil(sqrt n) points") {
  for (const std::uint64_t n : {1, 2, 3, 4, 5, 10, 100, 101, 1000}) {
    std::uint64_t root = 0;
    while (root * root < n) ++root;
    const std::uint64_t draws = std::max<std::uint64_t>(1, n > root ? n - root : 0);
    std::mt19937 random(static_cast<unsigned>(n));
    RandomLearner learner({.horizon = n, .reevaluate = true});
    std::vector<std::pair<double, std::uint64_t>> seen;  // -reward, index: sorts as wanted
    for (std::uint64_t t = 0; t < draws; ++t) {
      CHECK(learner.next() == Cell{0, t + 1});
      const auto reward = static_cast<double>(random() % 20);
      seen.push_back({-reward, t + 1});
      learner.tell(reward);
      CHECK(learner.recommend().index == std::min_element(seen.begin(), seen.end())->second);
    }
    std::sort(seen.begin(), seen.end());
    seen.resize(std::min<std::size_t>(seen.size(), root));
    std::vector<double> sum(seen.size()), count(seen.size());
    for (std::uint64_t t = draws; t < n; ++t) {
      const std::size_t turn = (t - draws) % seen.size();
      CHECK(learner.next() == Cell{0, seen[turn].second});
      const auto reward = static_cast<double>(random() % 20);
      learner.tell(reward);
      sum[turn] += reward;
      count[turn] += 1;
      std::size_t best = 0;
      for (std::size_t c = 0; c < seen.size(); ++c)
        if (count[c] > 0 && sum[c] / count[c] > sum[best] / count[best]) best = c;
      REQUIRE(learner.recommend() == Cell{0, seen[best].second});
    }
  }
}

}  // namespace
}  // namespace posse::test_random_learner
