// SPDX-License-Identifier: Apache-2.0
// A queue on a vector.
#include <catch2/catch.hpp>
#include <deque>
#include <random>

#include "core/base/fifo.hpp"

namespace posse::test_fifo {

TEST_CASE("a Fifo gives what a deque gives") {
  std::mt19937 random(1);
  Fifo<int> fifo;
  std::deque<int> deque;
  for (int i = 0; i < 20'000; ++i) {
    const auto what = random() % 100;
    if (what < 50) {
      fifo.push_back(i);
      deque.push_back(i);
    } else if (what < 98 && !deque.empty()) {
      fifo.pop_front();
      deque.pop_front();
    } else if (what == 98) {
      const auto odd = [](int x) { return x % 2 == 1; };
      fifo.erase_if(odd);
      std::erase_if(deque, odd);
    } else if (random() % 20 == 0) {
      fifo.clear();
      deque.clear();
    }
    REQUIRE(fifo.empty() == deque.empty());
    if (!deque.empty()) REQUIRE(fifo.front() == deque.front());
    if (i % 100 == 0)
      CHECK(std::vector<int>(fifo.begin(), fifo.end()) ==
            std::vector<int>(deque.begin(), deque.end()));
  }
}

}  // namespace posse::test_fifo
