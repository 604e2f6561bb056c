// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <map>
#include <random>
#include <vector>

#include "core/base/numbered_queue.hpp"

namespace posse::test_numbered_queue {

TEST_CASE("an item that was not there has a default value, also where another one was") {
  NumberedQueue<std::vector<int>> queue;
  CHECK(queue.first() == 0);
  CHECK(queue.end() == 0);
  CHECK_FALSE(queue.has(0));
  queue.reach(2) = {7};
  CHECK(queue.end() == 3);
  CHECK(queue[1].empty());
  queue.drop_before(3);
  CHECK(queue.end() == 3);
  for (std::uint32_t number = 3; number < 9; ++number) {
    CHECK_FALSE(queue.has(number));
    CHECK(queue.reach(number).empty());
  }
}

TEST_CASE("a queue can begin beyond what it held") {
  NumberedQueue<int> queue;
  queue.reach(1) = 5;
  queue.drop_before(100);
  CHECK(queue.first() == 100);
  CHECK(queue.end() == 100);
  CHECK(queue.reach(101) == 0);
  CHECK(queue.end() == 102);
}

TEST_CASE("a queue that was cleared goes on with the next number") {
  NumberedQueue<std::vector<int>> queue;
  queue.reach(40) = {1};
  queue.clear();
  CHECK(queue.first() == 41);
  CHECK(queue.end() == 41);
  CHECK(queue.reach(41).empty());
}

TEST_CASE("items keep their numbers whatever is added and dropped") {
  std::mt19937 random(3);
  NumberedQueue<std::uint32_t> queue;
  std::map<std::uint32_t, std::uint32_t> expected;
  std::uint32_t first = 0, end = 0;
  for (int i = 0; i < 2000; ++i) {
    if (random() % 4 == 0) {
      first += static_cast<std::uint32_t>(random() % (end - first + 2));
      queue.drop_before(first);
      expected.erase(expected.begin(), expected.lower_bound(first));
      end = std::max(end, first);
    } else {
      const auto number = first + static_cast<std::uint32_t>(random() % (end - first + 3));
      queue.reach(number) = expected[number] = static_cast<std::uint32_t>(random());
      end = std::max(end, number + 1);
    }
    REQUIRE(queue.first() == first);
    REQUIRE(queue.end() == end);
    REQUIRE_FALSE(queue.has(first - 1));
    REQUIRE_FALSE(queue.has(end));
    for (std::uint32_t number = first; number < end; ++number) {
      REQUIRE(queue.has(number));
      REQUIRE(queue[number] == (expected.contains(number) ? expected[number] : 0));
    }
  }
}

}  // namespace posse::test_numbered_queue
