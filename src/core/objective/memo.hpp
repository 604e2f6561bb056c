// SPDX-License-Identifier: Apache-2.0
// Caches the values of a function that takes milliseconds. No point is computed twice, even if
// several threads ask for it at once: the later ones wait for the first.
//
// Values depend on the point alone, so results do not depend on the order of calls.
// Cost: O(log n) comparisons of points under a lock; memory grows with the number of points.
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <mutex>
#include <span>
#include <vector>

namespace posse {

class Memo {
 public:
  /// The value at x; calls compute() at the first request.
  template <class Compute>
  double get(std::span<const double> x, Compute compute) {
    Entry& entry = entry_at(x);
    std::call_once(entry.once, [&] { entry.value = compute(); });
    return entry.value;
  }
  /// Number of points in the cache.
  std::size_t size() const {
    const std::lock_guard lock(mutex_);
    return entries_.size();
  }

 private:
  struct Entry {
    std::once_flag once;
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
    const std::lock_guard lock(mutex_);
    const auto it = entries_.find(x);
    if (it != entries_.end()) return it->second;
    return entries_[std::vector<double>(x.begin(), x.end())];
  }

  mutable std::mutex mutex_;
  std::map<std::vector<double>, Entry, Less> entries_;  // the addresses of entries are stable
};

}  // namespace posse
