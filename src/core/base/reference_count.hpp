// SPDX-License-Identifier: Apache-2.0
// How many share an object.
//
// Counting with atomic operations costs more than much of what a simulation does with a message:
// such an operation waits until everything that the processor has written before is in its cache. A
// run on one thread does without.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

namespace posse {

/// While it lives, no other thread uses the messages and paths that this thread uses.
class OneThread {
 public:
  OneThread() noexcept : before_(std::exchange(alone_, true)) {}
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;
  ~OneThread() { alone_ = before_; }
  static bool is_alone() noexcept { return alone_; }

 private:
  static inline constinit thread_local bool alone_ = false;
  bool before_;
};

/// Thread-safe, except as OneThread says. Begins with one owner.
class ReferenceCount {
 public:
  void add() noexcept {
    if (OneThread::is_alone())
      count_.store(count_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    else
      count_.fetch_add(1, std::memory_order_relaxed);
  }
  /// True if the owner that goes was the only one.
  bool drop() noexcept {
    if (is_one()) return true;
    if (!OneThread::is_alone()) return count_.fetch_sub(1, std::memory_order_acq_rel) == 1;
    count_.store(count_.load(std::memory_order_relaxed) - 1, std::memory_order_relaxed);
    return false;
  }
  bool is_one() const noexcept { return count_.load(std::memory_order_acquire) == 1; }

 private:
  std::atomic<std::uint32_t> count_{1};
};

}  // namespace posse
