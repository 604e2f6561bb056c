// SPDX-License-Identifier: Apache-2.0
// What an actor is to do later, in the order in which it is due.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace posse {

template <class Item>
class Agenda {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;

  /// What is due at the same time keeps the order in which it was added.
  void add(TimePoint due, Item item) {
    entries_.push_back({due, added_++, std::move(item)});
    std::push_heap(entries_.begin(), entries_.end(), After());
  }
  struct Entry {
    TimePoint due;
    std::uint64_t number;
    Item item;
  };
  /// Takes out the next one, if it is due.
  std::optional<Entry> take(TimePoint now) {
    if (entries_.empty() || entries_.front().due > now) return std::nullopt;
    std::pop_heap(entries_.begin(), entries_.end(), After());
    std::optional<Entry> entry(std::move(entries_.back()));
    entries_.pop_back();
    return entry;
  }
  /// When the next item is due.
  std::optional<TimePoint> next() const {
    return entries_.empty() ? std::nullopt : std::optional(entries_.front().due);
  }

 private:
  struct After {
    bool operator()(const Entry& a, const Entry& b) const {
      return std::tie(b.due, b.number) < std::tie(a.due, a.number);
    }
  };
  std::vector<Entry> entries_;  // a heap
  std::uint64_t added_ = 0;
};

}  // namespace posse
