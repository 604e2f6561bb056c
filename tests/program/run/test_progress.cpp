// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "program/base/text.hpp"
#include "program/run/progress.hpp"

namespace test_progress {

using namespace posse;

namespace {

ProgressState half_done() { return {0.5, {"5 of 10 runs", "fed-pne"}}; }

}  // namespace

TEST_CASE("progress is a bar, the share, what runs and the time left") {
  CHECK(bar_text(half_done(), 30, 79) ==
        "[==========>         ]  50 %  5 of 10 runs  fed-pne  about 30 s left");
  CHECK(bar_text({1.0, {"10 of 10 runs"}}, 30, 79) ==
        "[====================] 100 %  10 of 10 runs");
  CHECK(bar_text({std::nullopt, {"echo", "round 7"}}, 30, 79) == "echo  round 7");
}

TEST_CASE("progress leaves out what doesn't fit, and is never wider than the terminal") {
  for (std::size_t columns = 4; columns < 100; ++columns)
    CHECK(width(bar_text(half_done(), 30, columns)) <= columns);
  CHECK(bar_text(half_done(), 30, 60) ==
        "[==========>         ]  50 %  5 of 10 runs  about 30 s left");
  CHECK(bar_text(half_done(), 30, 45) == "[==========>         ]  50 %  about 30 s left");
  CHECK(bar_text(half_done(), 30, 30) == "[==========>         ]  50 %");
  CHECK(bar_text(half_done(), 30, 20) == "50 %");
}

TEST_CASE("the time left is told once there is something to tell it from") {
  CHECK(line_text(half_done(), 1) == "50 %, 5 of 10 runs, fed-pne");
  CHECK(line_text({0.001, {"0 of 10 runs"}}, 60) == "0 %, 0 of 10 runs");
  CHECK(line_text({0.01, {"0 of 10 runs"}}, 60) == "1 %, 0 of 10 runs, about 1 h 39 min left");
  CHECK(line_text({1.0, {"10 of 10 runs"}}, 60) == "100 %, 10 of 10 runs");
}

}  // namespace test_progress
