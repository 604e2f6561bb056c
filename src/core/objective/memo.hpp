// SPDX-License-Identifier: Apache-2.0
// Caches the values of a function that takes milliseconds. No point is computed twice, even if
// several threads ask for it at once: the later ones wait for the first.
//
// Values depend on the point alone, so results do not depend on the order of calls.
// Cost: O(log n) comparisons of points under a lock; memory grows with the number of points.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <map>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

namespace posse {

class Memo {
 public:
  /// The value at x; calls compute() at the first request, and again if it threw.
  template <class Compute>
  double get(std::span<const double> x, Compute compute) {
    std::unique_lock lock(mutex_);
    Entry& entry = entry_at(x);
    while (!entry.known) {
      if (entry.claimed) {
        changed_.wait(lock);
        continue;
      }
      entry.claimed = true;
      lock.unlock();
      Entry* const claimed = &entry;
      settle(std::span(&claimed, 1), [&] { return std::vector{compute()}; });
      lock.lock();
    }
    return entry.value;
  }
  /// Computes the values that are not known yet together: compute(points) gets different points and
  /// returns as many values in their order. Leaves those that other threads are computing to them.
  template <class Compute>
  void prepare(std::span<const std::vector<double>> points, Compute compute) {
    std::vector<std::vector<double>> unknown;
    std::vector<Entry*> claimed;
    unknown.reserve(points.size());
    claimed.reserve(points.size());
    try {
      const std::lock_guard lock(mutex_);
      for (const auto& x : points) {
        Entry& entry = entry_at(x);
        if (entry.known || entry.claimed) continue;
        unknown.push_back(x);
        claimed.push_back(&entry);
        entry.claimed = true;
      }
    } catch (...) {  // memory ended: nobody may wait for what was claimed
      release(claimed, {});
      throw;
    }
    if (!claimed.empty()) settle(claimed, [&] { return compute(unknown); });
  }
  /// Number of points in the cache.
  std::size_t size() const {
    const std::lock_guard lock(mutex_);
    return entries_.size();
  }

 private:
  struct Entry {
    bool claimed = false;  // a thread computes the value
    bool known = false;
    double value = 0;
  };
  struct Less {
    using is_transparent = void;
    template <class A, class B>
    bool operator()(const A& a, const B& b) const {
      return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
    }
  };

  Entry& entry_at(std::span<const double> x) {
    const auto it = entries_.find(x);
    if (it != entries_.end()) return it->second;
    return entries_[std::vector<double>(x.begin(), x.end())];
  }

  /// Gives the claimed entries their values, or, if compute() throws, none.
  template <class Compute>
  void settle(std::span<Entry* const> claimed, Compute compute) {
    std::vector<double> values;
    try {
      values = compute();
    } catch (...) {
      release(claimed, values);
      throw;
    }
    release(claimed, values);
  }
  void release(std::span<Entry* const> claimed, const std::vector<double>& values) {
    {
      const std::lock_guard lock(mutex_);
      for (std::size_t i = 0; i < claimed.size(); ++i) {
        claimed[i]->claimed = false;
        if (i >= values.size()) continue;
        claimed[i]->known = true;
        claimed[i]->value = values[i];
      }
    }
    changed_.notify_all();
  }

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::vector<double>, Entry, Less> entries_;  // the addresses of entries are stable
};

}  // namespace posse
