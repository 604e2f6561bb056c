// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <set>

#include "core/network/interval_index.hpp"
#include "core/random/stream.hpp"

namespace posse::test_interval_index {

TEST_CASE("an interval index finds exactly the intervals that cover an instant") {
  DrawEngine draws(StreamKey{3}, 0);
  for (const std::uint32_t count : {0, 1, 2, 7, 200}) {
    std::vector<IntervalIndex::Entry> entries;
    for (std::uint32_t i = 0; i < count; ++i) {
      const auto begin = static_cast<std::int64_t>(draws() % 1000);
      const auto length = static_cast<std::int64_t>(draws() % (i % 5 == 0 ? 2000 : 50));
      const bool endless = i % 17 == 3;
      entries.push_back({{Time{begin}, endless ? Time::max() : Time{begin + length}}, i});
    }
    const IntervalIndex index(entries);
    for (std::int64_t t = -1; t < 1200; ++t) {
      std::set<std::uint32_t> expected, found;
      for (const auto& entry : entries)
        if (entry.when.begin <= Time{t} && Time{t} < entry.when.end) expected.insert(entry.number);
      index.for_each_covering(
          Time{t}, [&](const IntervalIndex::Entry& entry) { found.insert(entry.number); });
      CHECK(found == expected);
    }
  }
}

}  // namespace posse::test_interval_index
