// SPDX-License-Identifier: Apache-2.0
// A barrier for the threads of the window engine.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace posse {

/// Synchronises the threads once per window. Spins briefly, then yields, since windows are short.
class Barrier {
 public:
  explicit Barrier(std::size_t threads) : threads_(threads) {}
  /// Must be called before the last of the expected threads arrives.
  void expect(std::size_t threads) { threads_ = threads; }
  void arrive_and_wait() {
    const auto generation = generation_.load(std::memory_order_acquire);
    if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == threads_.load()) {
      arrived_.store(0, std::memory_order_relaxed);
      generation_.fetch_add(1, std::memory_order_release);
      generation_.notify_all();
      return;
    }
    for (int spin = 0; spin < 2000; ++spin)
      if (generation_.load(std::memory_order_acquire) != generation) return;
    while (generation_.load(std::memory_order_acquire) == generation)
      generation_.wait(generation, std::memory_order_acquire);
  }

 private:
  std::atomic<std::size_t> threads_;
  std::atomic<std::size_t> arrived_{0};
  std::atomic<std::uint32_t> generation_{0};
};

}  // namespace posse
