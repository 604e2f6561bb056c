// SPDX-License-Identifier: Apache-2.0
// Keys of the events of a window, by which these are sorted.
#pragma once

#include <algorithm>
#include <bit>
#include <boost/sort/pdqsort/pdqsort.hpp>
#include <cstdint>
#include <vector>

#include "core/base/huge_pages.hpp"
#include "core/base/time.hpp"
#include "core/sim/event.hpp"

namespace posse {

/// Sort key of an event in its bucket: node by node, so that a node's state is loaded once per
/// window and memory is accessed in order.
struct EventKey {
  std::uint64_t rank;  // by node, then by time; equal for some events of one node
  Event* event;
};

using EventKeys = std::vector<EventKey, HugePages<EventKey>>;

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
  std::uint64_t time_bits_;  // the highest of width_bits_, as far as there is room
};

struct KeyBefore {
  bool operator()(const EventKey& a, const EventKey& b) const {
    return a.rank != b.rank ? a.rank < b.rank : before_at_nodes(*a.event, *b.event);
  }
};

/// Sorts the keys of one window after another, in the order of KeyBefore.
///
/// Ranks are nearly uniform: keys are put in more buckets than there are keys, and then few
/// neighbours are in the wrong order. Many keys are first put in parts that fit in the caches.
/// Cost: O(n), and O(n log n) for keys that crowd in some buckets.
class KeySorter {
 public:
  void sort(EventKeys& keys) {
    if (keys.size() < kFewestToSpread) return sort_by_comparing(keys.data(), keys.size());
    spread_.resize(keys.size());
    if (keys.size() <= 2 * kPart) {
      sort_to(spread_.data(), keys.data(), keys.size());
      return keys.swap(spread_);
    }
    spread(spread_.data(), keys.data(), keys.size(), std::bit_width(keys.size() / kPart), parts_);
    std::uint32_t begin = 0;
    for (const std::uint32_t end : parts_) {
      sort_to(&keys[begin], &spread_[begin], end - begin);
      begin = end;
    }
  }

 private:
  static constexpr std::size_t kPart = 4096;          // keys
  static constexpr std::size_t kFewestToSpread = 20;  // fewer are sorted faster by comparing
  static constexpr std::uint32_t kCrowd = 16;
  static void sort_by_comparing(EventKey* keys, std::size_t count) {
    boost::sort::pdqsort_branchless(keys, keys + count, KeyBefore{});
  }
  /// Copies the keys to buckets, at most 2^bits of about equal ranges of ranks. `ends`: of the
  /// buckets.
  static void spread(EventKey* to,
                     const EventKey* keys,
                     std::size_t count,
                     std::uint64_t bits,
                     std::vector<std::uint32_t>& ends) {
    std::uint64_t least = keys->rank, most = least;
    for (std::size_t i = 1; i < count; ++i) {
      least = std::min(least, keys[i].rank);
      most = std::max(most, keys[i].rank);
    }
    const std::uint64_t width = std::bit_width(most - least),
                        shift = width > bits ? width - bits : 0;
    const auto bucket = [&](const EventKey& key) { return (key.rank - least) >> shift; };
    ends.assign(((most - least) >> shift) + 2, 0);
    for (std::size_t i = 0; i < count; ++i) ++ends[bucket(keys[i]) + 1];
    for (std::size_t b = 1; b < ends.size(); ++b) ends[b] += ends[b - 1];
    for (std::size_t i = 0; i < count; ++i) to[ends[bucket(keys[i])]++] = keys[i];
  }
  /// The keys, sorted, elsewhere.
  void sort_to(EventKey* to, const EventKey* keys, std::size_t count) {
    if (count < kFewestToSpread) {
      std::copy_n(keys, count, to);
      return sort_by_comparing(to, count);
    }
    spread(to, keys, count, 1 + std::bit_width(count), buckets_);
    std::uint32_t begin = 0;
    for (const std::uint32_t end : buckets_) {
      if (end - begin > kCrowd) sort_by_comparing(to + begin, end - begin);
      begin = end;
    }
    insert_in_order(to, count);
  }
  /// Sorts keys that are nearly in order.
  static void insert_in_order(EventKey* keys, std::size_t count) {
    constexpr KeyBefore before;
    for (std::size_t i = 1; i < count; ++i) {
      if (!before(keys[i], keys[i - 1])) continue;
      const EventKey key = keys[i];
      std::size_t at = i;
      do keys[at] = keys[at - 1];
      while (--at > 0 && before(key, keys[at - 1]));
      keys[at] = key;
    }
  }
  EventKeys spread_;
  std::vector<std::uint32_t> parts_, buckets_;  // their ends
};

}  // namespace posse
