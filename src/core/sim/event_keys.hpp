// SPDX-License-Identifier: Apache-2.0
// Keys of the events of a window, by which these are sorted.
#pragma once

#include <algorithm>
#include <bit>
#include <boost/sort/pdqsort/pdqsort.hpp>
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

/// Sorts the keys of one window after another, in the order of KeyBefore.
///
/// Nodes and times of a window's events are nearly uniform: keys are put in more buckets than there
/// are keys, and then few neighbours are in the wrong order. Cost: O(n), and O(n log n) for keys
/// that crowd in some buckets.
class KeySorter {
 public:
  void sort(std::vector<EventKey>& keys) {
    if (keys.size() < kFewestToSpread) return sort_by_comparing(keys.data(), keys.size());
    std::uint64_t least = keys.front().rank, most = least;
    for (const EventKey& key : keys) {
      least = std::min(least, key.rank);
      most = std::max(most, key.rank);
    }
    const auto bits = std::bit_width(most - least), wanted = 1 + std::bit_width(keys.size());
    const auto shift = bits > wanted ? bits - wanted : 0;
    const auto bucket = [&](const EventKey& key) { return (key.rank - least) >> shift; };
    ends_.assign(((most - least) >> shift) + 2, 0);
    for (const EventKey& key : keys) ++ends_[bucket(key) + 1];
    for (std::size_t b = 1; b < ends_.size(); ++b) ends_[b] += ends_[b - 1];
    spread_.resize(keys.size());
    for (const EventKey& key : keys) spread_[ends_[bucket(key)]++] = key;
    std::uint32_t begin = 0;
    for (const std::uint32_t end : ends_) {
      if (end - begin > kCrowd) sort_by_comparing(&spread_[begin], end - begin);
      begin = end;
    }
    insert_in_order();
    keys.swap(spread_);
  }

 private:
  static constexpr std::size_t kFewestToSpread = 20;  // fewer are sorted faster by comparing
  static constexpr std::uint32_t kCrowd = 16;
  static void sort_by_comparing(EventKey* keys, std::size_t count) {
    boost::sort::pdqsort_branchless(keys, keys + count, KeyBefore{});
  }
  /// Sorts `spread_`, which nearly is in order.
  void insert_in_order() {
    constexpr KeyBefore before;
    for (std::size_t i = 1; i < spread_.size(); ++i) {
      if (!before(spread_[i], spread_[i - 1])) continue;
      const EventKey key = spread_[i];
      std::size_t at = i;
      do spread_[at] = spread_[at - 1];
      while (--at > 0 && before(key, spread_[at - 1]));
      spread_[at] = key;
    }
  }
  std::vector<EventKey> spread_;
  std::vector<std::uint32_t> ends_;  // of the buckets
};

}  // namespace posse
