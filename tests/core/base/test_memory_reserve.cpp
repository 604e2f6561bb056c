// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <new>

#include "core/base/memory_reserve.hpp"

namespace posse::test_memory_reserve {

TEST_CASE("where memory ends, first the thread's own reserve is given back, then that of all") {
  const auto before = std::get_new_handler();
  use_memory_reserve();
  const auto handler = std::get_new_handler();
  REQUIRE(handler != nullptr);
  CHECK(memory_is_held_back());
  {
    const OwnReserve own;
    CHECK_NOTHROW(handler());  // the allocation is tried again
    CHECK(memory_is_held_back());
    CHECK_THROWS_AS(handler(), std::bad_alloc);
    CHECK_FALSE(memory_is_held_back());
  }
  hold_memory_back();
  CHECK(memory_is_held_back());
  CHECK_THROWS_AS(handler(), std::bad_alloc);
  CHECK_FALSE(memory_is_held_back());
  std::set_new_handler(before);
}

}  // namespace posse::test_memory_reserve
