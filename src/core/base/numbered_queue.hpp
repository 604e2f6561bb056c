// SPDX-License-Identifier: Apache-2.0
// A queue of items with consecutive numbers, in a ring: none moves when those before it go.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace posse {

template <class T>
class NumberedQueue {
 public:
  /// The number of the first item; if the queue is empty, of the next one.
  std::uint32_t first() const { return first_; }
  /// Past the number of the last item.
  std::uint32_t end() const { return first_ + size_; }
  bool has(std::uint32_t number) const { return number - first_ < size_; }
  T& operator[](std::uint32_t number) { return slots_[number & mask_]; }
  const T& operator[](std::uint32_t number) const { return slots_[number & mask_]; }

  /// Item `number`, which does not precede the first. It and those before it that are not there
  /// yet get default values.
  T& reach(std::uint32_t number) {
    if (!has(number)) {
      const std::uint32_t size = number - first_ + 1;
      if (slots_.empty() || size - 1 > mask_) grow(size);
      size_ = size;
    }
    return (*this)[number];
  }
  /// Drops the items before `number`, which will be the first.
  void drop_before(std::uint32_t number) {
    for (std::uint32_t n = first_; n != number && n != end(); ++n) {
      std::destroy_at(&(*this)[n]);
      std::construct_at(&(*this)[n]);
    }
    size_ = has(number) ? end() - number : 0;
    first_ = number;
  }

 private:
  void grow(std::uint32_t size) {
    const std::uint32_t mask = std::bit_ceil(size) - 1;
    std::vector<T> slots(std::size_t{mask} + 1);
    for (std::uint32_t n = first_; n != end(); ++n) slots[n & mask] = std::move((*this)[n]);
    slots_ = std::move(slots);
    mask_ = mask;
  }

  std::vector<T> slots_;  // a power of two, by number modulo it; the others have default values
  std::uint32_t mask_ = 0, first_ = 0, size_ = 0;
};

}  // namespace posse
