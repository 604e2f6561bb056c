// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <random>
#include <vector>

#include "core/sim/pull_queue.hpp"

namespace posse::test_pull_queue {

TEST_CASE("pulls leave their queue as they came, whatever runs they make") {
  for (const std::uint32_t seed : {1u, 2u, 3u}) {
    std::mt19937 engine(seed);
    const auto random = [&](std::uint32_t below) {
      return static_cast<std::uint32_t>(engine() % below);
    };
    PullQueue queue;
    std::vector<Pulls> came;
    std::size_t left = 0;
    Pulls next{Time{5}, Duration{2}, {0.5, 0.25}, 1, 0};
    for (int i = 0; i < 20'000; ++i) {
      switch (random(12)) {
        case 0:
          next.each.global = 0.125 * random(4);
          break;
        case 1:
          next.each.local = 0.125 * random(4);
          break;
        case 2:
          next.count = random(3);
          break;
        case 3:
          next.client = random(2);
          break;
        case 4:
          next.took = Duration{random(3)};
          break;
        case 5:
          next.time = next.time + Duration{random(5)};
          break;
        case 6:
          if (left < came.size()) {
            REQUIRE(queue.front() == came[left++]);
            queue.pop_front();
          }
          break;
        default:
          next.time = next.time + Duration{seed};
      }
      queue.push_back(next);
      came.push_back(next);
    }
    for (; left < came.size(); ++left) {
      REQUIRE_FALSE(queue.empty());
      REQUIRE(queue.front() == came[left]);
      queue.pop_front();
    }
    CHECK(queue.empty());
  }
}

}  // namespace posse::test_pull_queue
