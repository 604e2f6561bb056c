// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>
#include <random>
#include <vector>

#include "core/sim/event_keys.hpp"

namespace posse::test_event_keys {
namespace {

using Draw = std::function<std::uint64_t(std::mt19937_64&)>;

/// Sorts keys of these ranks; each has an event of its own, with another source.
void check_sorted(KeySorter& sorter, std::size_t count, const Draw& rank) {
  std::mt19937_64 random(count);
  std::vector<Event> events(count);
  EventKeys keys;
  for (Event& event : events) {
    event.source = NodeId{static_cast<std::uint32_t>(random())};
    keys.push_back({rank(random), &event});
  }
  auto expected = keys;
  std::sort(expected.begin(), expected.end(), KeyBefore{});
  sorter.sort(keys);
  const auto same = [](const EventKey& a, const EventKey& b) {
    return a.rank == b.rank && a.event == b.event;
  };
  CHECK(std::equal(keys.begin(), keys.end(), expected.begin(), expected.end(), same));
}

}  // namespace

TEST_CASE("keys are sorted by rank, and by event where ranks are equal, however they are spread") {
  std::uint64_t next = 0;
  const std::vector<Draw> ranks{
      [](auto& random) { return random(); },                                   // all 64 bits
      [](auto& random) { return random() % 5'000'000; },                       // times of one node
      [](auto& random) { return random() % 3; },                               // few different ones
      [](auto&) { return std::uint64_t{7}; },                                  // all equal
      [](auto& random) { return random() % 50 ? random() % 100 : random(); },  // a crowd
      [&](auto&) { return ++next; },                                           // in order
      [&](auto&) { return ~++next; },                                          // in reverse order
      [](auto& random) { return std::uint64_t{1} << random() % 64; },  // more and more apart
  };
  KeySorter sorter;
  for (const Draw& rank : ranks)
    for (const std::size_t count : {0u, 1u, 2u, 19u, 20u, 21u, 64u, 1000u, 5000u, 40'000u})
      check_sorted(sorter, count, rank);
}

}  // namespace posse::test_event_keys
