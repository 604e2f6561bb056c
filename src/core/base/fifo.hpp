// SPDX-License-Identifier: Apache-2.0
// A queue that needs no memory while it is empty, unlike std::deque.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace posse {

template <class T>
class Fifo {
 public:
  bool empty() const { return first_ == items_.size(); }
  T& front() { return items_[first_]; }
  void push_back(T item) { items_.push_back(std::move(item)); }
  /// O(1) on average. What was before the front is freed when it is the larger part.
  void pop_front() {
    if (2 * ++first_ < items_.size()) return;
    items_.erase(items_.begin(), items_.begin() + static_cast<std::ptrdiff_t>(first_));
    first_ = 0;
  }
  void clear() {
    items_.clear();
    first_ = 0;
  }
  template <class Condition>
  void erase_if(const Condition& condition) {
    items_.erase(items_.begin(), items_.begin() + static_cast<std::ptrdiff_t>(first_));
    first_ = 0;
    std::erase_if(items_, condition);
  }
  auto begin() { return items_.begin() + static_cast<std::ptrdiff_t>(first_); }
  auto end() { return items_.end(); }

 private:
  std::vector<T> items_;
  std::size_t first_ = 0;  // those before it have been taken
};

}  // namespace posse
