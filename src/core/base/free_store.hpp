// SPDX-License-Identifier: Apache-2.0
// Memory for small objects that come and go with every message: what a thread frees it uses again.
#pragma once

#include <cstddef>
#include <new>
#include <utility>

namespace posse {

/// Base class of `T`, whose objects then come from a store of the thread. At most 65 536 freed ones
/// are kept. An object may be freed by another thread than the one that made it.
template <class T>
class FromFreeStore {
 public:
  static void* operator new(std::size_t size) {
    if (store_.first == nullptr) return ::operator new(size);
    --store_.count;
    return std::exchange(store_.first, *static_cast<void**>(store_.first));
  }
  static void operator delete(void* freed) noexcept {
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

}  // namespace posse
