// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "core/random/stream.hpp"
#include "core/sim/calendar.hpp"

namespace posse::test_calendar {

TEST_CASE("a calendar hands out each bucket's events once, earliest bucket first") {
  for (std::uint64_t number = 0; number < 100; ++number) {
    DrawEngine draws(stream_key(Seed{number}, "calendar", std::uint64_t{0}), 0);
    const Duration width{1 + static_cast<std::int64_t>(draws() % 50)};
    EventChunks chunks;
    Calendar calendar(width, chunks);
    std::multimap<std::int64_t, std::int64_t> reference;  // bucket -> time
    std::int64_t now = 0;
    std::uint32_t made = 0;
    const auto add = [&](std::int64_t from) {
      // Mostly near, sometimes beyond the ring of 1024 buckets, sometimes far beyond.
      const std::int64_t reach = draws() % 10 == 0 ? 5000 * width.ns : 200 * width.ns;
      const std::int64_t at =
          from + static_cast<std::int64_t>(draws() % static_cast<std::uint64_t>(reach));
      Event event;
      event.time = Time{at};
      event.sequence = made++;
      calendar.push(std::move(event));
      reference.emplace(at / width.ns, at);
    };
    for (int i = 0; i < 50; ++i) add(0);
    Calendar::Bucket bucket;
    while (!reference.empty()) {
      REQUIRE(calendar.size() == reference.size());
      const auto first = reference.begin()->first;
      REQUIRE(calendar.first() == first);
      std::multiset<std::int64_t> expected, got;
      for (auto [it, end] = reference.equal_range(first); it != end; ++it)
        expected.insert(it->second);
      calendar.open(first, bucket);
      for (std::size_t i = 0; i < bucket.size(); ++i) got.insert(bucket[i].time.ns);
      CHECK(got == expected);
      calendar.recycle(bucket);
      reference.erase(first);
      now = (first + 1) * width.ns;
      for (int i = 0; i < 3 && made < 600; ++i) add(now);
    }
    CHECK(calendar.first() == Calendar::kNoBucket);
    CHECK(made == 600);
  }
}

TEST_CASE("an event in the past is a programmer's mistake") {
  EventChunks chunks;
  Calendar calendar(Duration{10}, chunks);
  Event event;
  event.time = Time{100};
  calendar.push(Event(event));
  Calendar::Bucket bucket;
  calendar.open(10, bucket);
  event.time = Time{99};
  CHECK_THROWS_AS(calendar.push(Event(event)), CheckFailure);
}

}  // namespace posse::test_calendar
