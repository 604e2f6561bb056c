// SPDX-License-Identifier: Apache-2.0
// Memory for small objects that come and go with every message: what a thread frees it uses again.
#pragma once

#include <cstddef>
#include <new>
#include <utility>

#include "core/base/fetch.hpp"

namespace posse {

/// Of objects of `kSize` bytes, per thread. At most 65 536 freed ones are kept. An object may be
/// freed by another thread than the one that made it.
template <std::size_t kSize>
class FreeStore {
 public:
  static void* take() {
    if (store_.first == nullptr) return ::operator new(kSize);
    --store_.count;
    void* const taken = std::exchange(store_.first, *static_cast<void**>(store_.first));
    fetch(store_.first);  // for the next one: what is freed is scattered
    return taken;
  }
  static void put(void* freed) noexcept {
    if (store_.count >= store_.most) {
      if (store_.most == kMost) return ::operator delete(freed);
      store_.most = kMost;
      emptier_.needed = true;
    }
    ++store_.count;
    *static_cast<void**>(freed) = std::exchange(store_.first, freed);
  }

 private:
  static constexpr std::size_t kMost = 1 << 16;
  // Apart from what empties it, so that its use needs no look whether the thread has made it.
  struct Store {
    void* first = nullptr;  // of a list; each holds the address of the next
    std::size_t count = 0;
    std::size_t most = 0;  // before the first is kept: 0
  };
  struct Emptier {
    bool needed = false;
    ~Emptier() {
      store_.count = kMost;  // what is freed from now on is not kept
      while (store_.first != nullptr)
        ::operator delete(std::exchange(store_.first, *static_cast<void**>(store_.first)));
    }
  };
  static inline constinit thread_local Store store_{};
  static inline thread_local Emptier emptier_;
};

/// Base class of `T`, whose objects then come from a store. Types of similar size share one: the
/// room for variables of threads in a shared library is small.
template <class T>
class FromFreeStore {
 public:
  static void* operator new(std::size_t) { return FreeStore<rounded(sizeof(T))>::take(); }
  static void operator delete(void* freed) noexcept { FreeStore<rounded(sizeof(T))>::put(freed); }

 private:
  static constexpr std::size_t rounded(std::size_t size) { return (size + 31) / 32 * 32; }
};

}  // namespace posse
