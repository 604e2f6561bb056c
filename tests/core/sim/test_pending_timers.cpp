// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "core/sim/pending_timers.hpp"

namespace posse::test_pending_timers {

TEST_CASE("a timer expires once, for the event that was made when it was set") {
  PendingTimers timers;
  timers.set(TimerId{3}, 10, Time{10}, Time{0});
  timers.set(TimerId{4}, 11, Time{11}, Time{0});
  CHECK_FALSE(timers.expire(TimerId{3}, 11));
  CHECK(timers.expire(TimerId{3}, 10));
  CHECK_FALSE(timers.expire(TimerId{3}, 10));
  CHECK(timers.expire(TimerId{4}, 11));
}

TEST_CASE("a timer that is set again replaces the pending one, a cancelled one does not expire") {
  PendingTimers timers;
  timers.set(TimerId{1}, 5, Time{5}, Time{0});
  timers.set(TimerId{1}, 6, Time{6}, Time{0});
  CHECK_FALSE(timers.expire(TimerId{1}, 5));
  CHECK(timers.expire(TimerId{1}, 6));
  timers.set(TimerId{1}, 7, Time{7}, Time{0});
  timers.cancel(TimerId{1});
  timers.cancel(TimerId{2});
  CHECK_FALSE(timers.expire(TimerId{1}, 7));
}

TEST_CASE("timers that are dropped tell what was left of them, in the order of setting") {
  PendingTimers timers;
  timers.set(TimerId{1}, 5, Time{70}, Time{0});
  timers.set(TimerId{2}, 6, Time{30}, Time{0});
  timers.set(TimerId{3}, 7, Time{90}, Time{0});
  timers.set(TimerId{1}, 8, Time{60}, Time{0});
  timers.cancel(TimerId{3});
  const auto dropped = timers.drop(Time{40}, Time{35});
  REQUIRE(dropped.size() == 2);
  CHECK(dropped[0].timer == TimerId{2});
  CHECK(dropped[0].left == Duration{0});  // it was due while the node stood still
  CHECK(dropped[1].timer == TimerId{1});
  CHECK(dropped[1].left == Duration{20});
  CHECK(timers.empty());
  CHECK_FALSE(timers.expire(TimerId{1}, 8));
}

TEST_CASE("a timer that counts from the end of work is put off as that work is") {
  PendingTimers timers;
  timers.set(TimerId{1}, 5, Time{70}, Time{60});
  timers.set(TimerId{2}, 6, Time{80}, Time{50});
  timers.put_off(Time{50}, Duration{100}, [](TimerId timer, Time due) {
    CHECK(timer == TimerId{1});
    CHECK(due == Time{170});
    return 9u;
  });
  CHECK_FALSE(timers.expire(TimerId{1}, 5));
  CHECK(timers.expire(TimerId{2}, 6));
  CHECK(timers.expire(TimerId{1}, 9));
  // A crash within a pause: the work had 20 left when the node stopped.
  timers.set(TimerId{3}, 10, Time{75}, Time{70});
  const auto dropped = timers.drop(Time{60}, Time{50});
  REQUIRE(dropped.size() == 1);
  CHECK(dropped[0].left == Duration{25});
}

}  // namespace posse::test_pending_timers
