// SPDX-License-Identifier: Apache-2.0
// Keys of the events of a window, by which these are sorted.
#pragma once

#include <algorithm>
#include <bit>
#include <boost/sort/pdqsort/pdqsort.hpp>
#include <boost/sort/spreadsort/integer_sort.hpp>
#include <cstdint>
#include <vector>

#include "core/base/time.hpp"
#include "core/sim/event.hpp"

namespace posse {

/// Sort key of an event in its bucket: node by node, so that a node's state is loaded once per
/// window and memory is accessed in order.
struct EventKey {
  std::uint64_t rank;  // by node, then by time; equal for some events of one node
  Event* event;
};

/// Ranks the events of windows of this width.
class EventRanks {
 public:
  EventRanks(std::uint64_t nodes, Duration width)
      : width_bits_(std::bit_width(static_cast<std::uint64_t>(width.ns))),
        time_bits_(std::min<std::uint64_t>(width_bits_, 64 - std::bit_width(nodes))) {}
  std::uint64_t of(const Event& event, Time start) const {
    const auto passed = static_cast<std::uint64_t>((event.time - start).ns);
    return std::uint64_t{event.node.value} << time_bits_ | passed >> (width_bits_ - time_bits_);
  }

 private:
  std::uint64_t width_bits_;
  std::uint64_t time_bits_;  // the highest of those, as far as there is room
};

struct KeyBefore {
  bool operator()(const EventKey& a, const EventKey& b) const {
    return a.rank != b.rank ? a.rank < b.rank : before_at_nodes(*a.event, *b.event);
  }
};

/// Fewer keys are sorted faster by comparisons.
inline constexpr std::size_t kFewestForRadix = 1000;

/// In the order of KeyBefore.
inline void sort_keys(std::vector<EventKey>& keys) {
  if (keys.size() < kFewestForRadix)
    return boost::sort::pdqsort_branchless(keys.begin(), keys.end(), KeyBefore{});
  boost::sort::spreadsort::integer_sort(
      keys.begin(),
      keys.end(),
      [](const EventKey& key, unsigned shift) { return key.rank >> shift; },
      KeyBefore{});
  // The radix sort leaves keys of equal ranks as they are.
  for (auto first = keys.begin(); first != keys.end();) {
    const auto last = std::find_if(
        first, keys.end(), [&](const EventKey& key) { return key.rank != first->rank; });
    if (last - first > 1) std::sort(first, last, KeyBefore{});
    first = last;
  }
}

}  // namespace posse
