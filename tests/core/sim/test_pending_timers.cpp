// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "core/sim/pending_timers.hpp"

namespace posse::test_pending_timers {

TEST_CASE("a timer expires once, for the event that was made when it was set") {
  PendingTimers timers;
  timers.set(TimerId{3}, 10, Time{10});
  timers.set(TimerId{4}, 11, Time{11});
  CHECK_FALSE(timers.expire(TimerId{3}, 11));
  CHECK(timers.expire(TimerId{3}, 10));
  CHECK_FALSE(timers.expire(TimerId{3}, 10));
  CHECK(timers.expire(TimerId{4}, 11));
}

TEST_CASE("a timer that is set again replaces the pending one, a cancelled one does not expire") {
  PendingTimers timers;
  timers.set(TimerId{1}, 5, Time{5});
  timers.set(TimerId{1}, 6, Time{6});
  CHECK_FALSE(timers.expire(TimerId{1}, 5));
  CHECK(timers.expire(TimerId{1}, 6));
  timers.set(TimerId{1}, 7, Time{7});
  timers.cancel(TimerId{1});
  timers.cancel(TimerId{2});
  CHECK_FALSE(timers.expire(TimerId{1}, 7));
}

TEST_CASE("timers that are dropped tell what was left of them, in the order of setting") {
  PendingTimers timers;
  timers.set(TimerId{1}, 5, Time{70});
  timers.set(TimerId{2}, 6, Time{30});
  timers.set(TimerId{3}, 7, Time{90});
  timers.set(TimerId{1}, 8, Time{60});
  timers.cancel(TimerId{3});
  const auto dropped = timers.drop(Time{40});
  REQUIRE(dropped.size() == 2);
  CHECK(dropped[0].timer == TimerId{2});
  CHECK(dropped[0].left == Duration{0});  // it was due while the node stood still
  CHECK(dropped[1].timer == TimerId{1});
  CHECK(dropped[1].left == Duration{20});
  CHECK(timers.empty());
  CHECK_FALSE(timers.expire(TimerId{1}, 8));
}

}  // namespace posse::test_pending_timers
