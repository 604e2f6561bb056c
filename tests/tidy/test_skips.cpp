// SPDX-License-Identifier: Apache-2.0
// Cases that tests/skips/test_skips.py runs to see how test programs end; hidden from other runs.
#include <catch2/catch.hpp>

#include "tests/support/skip.hpp"

namespace posse::test_skips {

TEST_CASE("for test_skips: passes", "[.for-test-skips][passes]") { CHECK(1 + 1 == 2); }

TEST_CASE("for test_skips: is skipped", "[.for-test-skips][skipped]") {
  CHECK(1 + 1 == 2);
  test::skip_test("this case always is");
}

TEST_CASE("for test_skips: is skipped in a section", "[.for-test-skips][skipped]") {
  SECTION("first") { CHECK(1 + 1 == 2); }
  SECTION("second") { test::skip_test("this section always is"); }
}

TEST_CASE("for test_skips: fails", "[.for-test-skips][fails]") { CHECK(1 + 1 == 3); }

TEST_CASE("for test_skips: fails, and is skipped then", "[.for-test-skips][fails-first]") {
  CHECK(1 + 1 == 3);
  test::skip_test("this comes too late");
}

}  // namespace posse::test_skips
