// SPDX-License-Identifier: Apache-2.0
// A queue of items with consecutive numbers, in a ring: none moves when those before it go.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

namespace posse {

template <class T>
class NumberedQueue {
 public:
  NumberedQueue() = default;
  NumberedQueue(const NumberedQueue&) = delete;
  NumberedQueue& operator=(const NumberedQueue&) = delete;
  ~NumberedQueue() { clear(); }

  /// The number of the first item; if the queue is empty, of the next one.
  std::uint32_t first() const { return first_; }
  /// Past the number of the last item.
  std::uint32_t end() const { return first_ + size_; }
  bool has(std::uint32_t number) const { return number - first_ < size_; }
  T& operator[](std::uint32_t number) { return slots_[number & (room_ - 1)]; }
  const T& operator[](std::uint32_t number) const { return slots_[number & (room_ - 1)]; }

  /// Item `number`, which does not precede the first. It and those before it that are not there
  /// yet get default values. Without memory for them the queue keeps what it has.
  T& reach(std::uint32_t number) {
    while (!has(number)) {
      if (size_ == room_) grow();
      std::construct_at(&(*this)[end()]);
      ++size_;
    }
    return (*this)[number];
  }
  /// Drops the items before `number`, which will be the first.
  void drop_before(std::uint32_t number) {
    for (; size_ > 0 && first_ != number; --size_) std::destroy_at(&(*this)[first_++]);
    first_ = number;
  }
  /// Drops all items and gives their memory back.
  void clear() {
    drop_before(end());
    use(nullptr, 0);
  }

 private:
  void grow() {
    const std::uint32_t room = room_ == 0 ? 16 : 2 * room_;
    T* const slots = std::allocator<T>().allocate(room);
    for (std::uint32_t n = first_; n != end(); ++n) {
      std::construct_at(&slots[n & (room - 1)], std::move((*this)[n]));
      std::destroy_at(&(*this)[n]);
    }
    use(slots, room);
  }
  void use(T* slots, std::uint32_t room) {
    if (room_ > 0) std::allocator<T>().deallocate(slots_, room_);
    slots_ = slots;
    room_ = room;
  }

  T* slots_ = nullptr;      // by number modulo `room_`; only those of items hold one
  std::uint32_t room_ = 0;  // a power of two
  std::uint32_t first_ = 0, size_ = 0;
};

}  // namespace posse
