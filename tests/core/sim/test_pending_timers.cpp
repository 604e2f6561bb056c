// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "core/sim/pending_timers.hpp"

namespace posse::test_pending_timers {

TEST_CASE("a timer expires once, for the event that was made when it was set") {
  PendingTimers timers;
  timers.set(TimerId{3}, 10);
  timers.set(TimerId{4}, 11);
  CHECK_FALSE(timers.expire(TimerId{3}, 11));
  CHECK(timers.expire(TimerId{3}, 10));
  CHECK_FALSE(timers.expire(TimerId{3}, 10));
  CHECK(timers.expire(TimerId{4}, 11));
}

TEST_CASE("a timer that is set again replaces the pending one, a cancelled one does not expire") {
  PendingTimers timers;
  timers.set(TimerId{1}, 5);
  timers.set(TimerId{1}, 6);
  CHECK_FALSE(timers.expire(TimerId{1}, 5));
  CHECK(timers.expire(TimerId{1}, 6));
  timers.set(TimerId{1}, 7);
  timers.cancel(TimerId{1});
  timers.cancel(TimerId{2});
  CHECK_FALSE(timers.expire(TimerId{1}, 7));
}

}  // namespace posse::test_pending_timers
