// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <cmath>

#include "core/base/smallest_number.hpp"
#include "core/random/stream.hpp"

namespace test_smallest_number {

using namespace posse;

TEST_CASE("of numbers that come, change and go, SmallestNumber finds the one that a scan finds") {
  UniformStream draws(stream_key(Seed{3}, "test", "smallest"));
  std::uint64_t draw = 0;
  const auto below = [&](double n) { return static_cast<std::size_t>(draws.at(draw++) * n); };
  for (const std::size_t n : {1, 2, 3, 7, 8, 33}) {
    SmallestNumber smallest(n);
    std::vector<std::optional<double>> numbers(n);
    CHECK_FALSE(smallest.index());
    for (int change = 0; change < 500; ++change) {
      const std::size_t i = below(static_cast<double>(n));
      if (below(4) == 0) {
        numbers[i].reset();
        smallest.remove(i);
      } else {
        // Few values, so that ties are frequent; one of them is infinite.
        const std::size_t value = below(5);
        numbers[i] = value == 0 ? -INFINITY : static_cast<double>(value);
        smallest.set(i, *numbers[i]);
      }
      std::optional<std::uint32_t> expected;
      for (std::uint32_t j = 0; j < n; ++j)
        if (numbers[j] && (!expected || *numbers[j] < *numbers[*expected])) expected = j;
      REQUIRE(smallest.index() == expected);
    }
  }
}

TEST_CASE("SmallestNumber of no numbers has none") { CHECK_FALSE(SmallestNumber(0).index()); }

}  // namespace test_smallest_number
