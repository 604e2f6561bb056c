// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <cstdint>
#include <vector>

#include "core/base/huge_pages.hpp"

namespace posse::test_huge_pages {

TEST_CASE("arrays begin with a cache line, large ones with a huge page") {
  for (const std::size_t size : {1, 100, 1 << 19, 1 << 20, 5'000'000}) {
    std::vector<std::uint8_t, HugePages<std::uint8_t>> bytes(size, 7);
    const auto place = reinterpret_cast<std::uintptr_t>(bytes.data());
    CHECK(place % (size < 1 << 20 ? 64 : 2 << 20) == 0);
    CHECK(bytes.back() == 7);
  }
}

TEST_CASE("an array may grow") {
  std::vector<std::uint64_t, HugePages<std::uint64_t>> numbers;
  for (std::uint64_t i = 0; i < 300'000; ++i) numbers.push_back(i);
  for (std::uint64_t i = 0; i < numbers.size(); i += 999) CHECK(numbers[i] == i);
}

}  // namespace posse::test_huge_pages
