// SPDX-License-Identifier: Apache-2.0
// Which of many intervals cover an instant: an interval tree (Cormen et al., "Introduction to
// Algorithms", section 14.3) in a sorted array. Cost of a look-up: O(log n) and the intervals
// found.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/network/fault_times.hpp"

namespace posse {

class IntervalIndex {
 public:
  struct Entry {
    FaultInterval when;
    std::uint32_t number = 0;  // the caller's
    Time latest{};             // end of the entries of this one's subtree; set by the constructor
  };
  IntervalIndex() = default;
  explicit IntervalIndex(std::vector<Entry> entries) : entries_(std::move(entries)) {
    std::stable_sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
      return a.when.begin < b.when.begin;
    });
    find_latest(0, entries_.size());
  }

  /// Calls use(entry) for those that cover `at`, by their beginnings.
  template <class Use>
  void for_each_covering(Time at, const Use& use) const {
    visit(0, entries_.size(), at, use);
  }

 private:
  // The root of [first, last) is in its middle.
  Time find_latest(std::size_t first, std::size_t last) {
    if (first == last) return {};
    const std::size_t root = first + (last - first) / 2;
    return entries_[root].latest = std::max(
               {entries_[root].when.end, find_latest(first, root), find_latest(root + 1, last)});
  }
  template <class Use>
  void visit(std::size_t first, std::size_t last, Time at, const Use& use) const {
    if (first == last) return;
    const std::size_t root = first + (last - first) / 2;
    const Entry& entry = entries_[root];
    if (entry.latest <= at) return;
    visit(first, root, at, use);
    if (at < entry.when.begin) return;
    if (at < entry.when.end) use(entry);
    visit(root + 1, last, at, use);
  }

  std::vector<Entry> entries_;
};

}  // namespace posse
