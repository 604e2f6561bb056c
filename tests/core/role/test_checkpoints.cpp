// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <cmath>

#include "core/role/checkpoints.hpp"
#include "core/role/outcome.hpp"

namespace posse::test_checkpoints {

TEST_CASE("checkpoints: 1 to 8, then four per doubling") {
  for (std::size_t i = 0; i < 8; ++i) CHECK(checkpoint(i) == i + 1);
  CHECK(checkpoint(8) == 10);   // 8 · 2^{1/4} = 9.51
  CHECK(checkpoint(9) == 11);   // 11.31
  CHECK(checkpoint(10) == 13);  // 13.45
  for (std::uint64_t doubling = 0; doubling < 40; ++doubling)
    CHECK(checkpoint(7 + 4 * doubling) == std::uint64_t{8} << doubling);
  for (std::size_t i = 1; i < 200; ++i) CHECK(checkpoint(i) > checkpoint(i - 1));
}

TEST_CASE("every checkpoint is passed once, whatever the steps") {
  Checkpoints each, strides;
  std::vector<std::uint64_t> reached;
  for (std::uint64_t n = 1; n <= 32; ++n)
    if (each.reached(n)) reached.push_back(n);
  CHECK(reached ==
        std::vector<std::uint64_t>{1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 13, 16, 19, 23, 27, 32});
  CHECK(strides.reached(9));
  CHECK_FALSE(strides.reached(9));
  CHECK(strides.next() == 10);
  CHECK(strides.reached(100));
  CHECK(strides.next() == 108);
}

TEST_CASE("a long table of rounds keeps the first thousand, the checkpoints and the last") {
  const auto rounds = [](std::uint32_t count) {
    std::vector<RoundRecord> rows(count);
    for (std::uint32_t r = 0; r < count; ++r) rows[r].round = Round{r + 1};
    thin_rounds(rows);
    std::vector<std::uint32_t> kept;
    for (const auto& row : rows) kept.push_back(row.round.value);
    return kept;
  };
  for (const std::uint32_t count : {0u, 1u, 999u, 1000u}) CHECK(rounds(count).size() == count);
  const auto kept = rounds(5000);
  REQUIRE(kept.size() == 1011);
  CHECK(kept[999] == 1000);
  const std::vector<std::uint32_t> later(kept.begin() + 1000, kept.end());
  CHECK(later == std::vector<std::uint32_t>{
                     1024, 1218, 1448, 1722, 2048, 2435, 2896, 3444, 4096, 4871, 5000});
}

}  // namespace posse::test_checkpoints
