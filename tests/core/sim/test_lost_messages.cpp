// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "core/sim/lost_messages.hpp"

namespace posse::test_lost_messages {

namespace {

LostMessage lost(std::uint32_t round, std::int64_t left) {
  LostMessage message;
  message.round = Round{round};
  message.left = Time{left};
  return message;
}

}  // namespace

TEST_CASE("lost messages are kept by the latest round, and within a round by the first") {
  // Far more than are kept, in two orders, and spread over two lists that are then joined.
  LostMessages ascending, descending, even, odd;
  for (std::uint32_t round = 1; round <= 100; ++round)
    for (std::int64_t left = 0; left < 100; ++left) {
      ascending.add(lost(round, left));
      descending.add(lost(101 - round, 99 - left));
      (left % 2 ? odd : even).add(lost(round, left));
    }
  for (const auto& message : odd.sorted()) even.add(message);
  const auto kept = ascending.sorted();
  REQUIRE(kept.size() < 10000);
  for (std::size_t i = 0; i < kept.size(); ++i) {
    CHECK(kept[i].round.value == 100 - i / 100);
    CHECK(kept[i].left.ns == static_cast<std::int64_t>(i % 100));
  }
  for (const auto& other : {descending.sorted(), even.sorted()}) {
    REQUIRE(other.size() == kept.size());
    for (std::size_t i = 0; i < kept.size(); ++i) {
      CHECK(other[i].round == kept[i].round);
      CHECK(other[i].left == kept[i].left);
    }
  }
}

}  // namespace posse::test_lost_messages
