// SPDX-License-Identifier: Apache-2.0
// Memory for large arrays that are accessed at random: in huge pages where the system has some. An
// access then rarely needs a look at the page table, which would be in no cache either.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <new>

namespace posse {

/// An allocator whose arrays begin with a cache line.
template <class T>
struct HugePages {
  using value_type = T;
  HugePages() = default;
  template <class U>
  HugePages(const HugePages<U>&) {}
  bool operator==(const HugePages&) const = default;

  T* allocate(std::size_t n) {
    const std::size_t bytes = n * sizeof(T);
    const bool large = bytes >= kPage / 2;
    const std::size_t unit = large ? kPage : kLine;
    const std::size_t whole = (bytes + unit - 1) / unit * unit;
    void* const place = std::aligned_alloc(unit, whole);
    if (place == nullptr) throw std::bad_alloc();
    if (large) madvise(place, whole, MADV_HUGEPAGE);  // a wish
    return static_cast<T*>(place);
  }
  void deallocate(T* place, std::size_t) { std::free(place); }

 private:
  static constexpr std::size_t kLine = 64, kPage = std::size_t{2} << 20;
  static_assert(alignof(T) <= kLine);
};

}  // namespace posse
