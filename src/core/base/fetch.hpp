// SPDX-License-Identifier: Apache-2.0
// Fetching memory to the processor's caches before it is needed.
#pragma once

namespace posse {

/// Begins to fetch what is at `place`, and does not wait for it. Functions that only fetch must be
/// inlined, as this one is: for the compiler they have no effect, and it leaves out calls of them.
[[gnu::always_inline]] inline void fetch(const void* place) { __builtin_prefetch(place); }
/// Begins to fetch an object that may begin in one cache line of 64 bytes and end in the next.
template <class T>
[[gnu::always_inline]] inline void fetch_whole(const T& object) {
  const auto* begin = reinterpret_cast<const char*>(&object);
  fetch(begin);
  fetch(begin + (sizeof(T) < 64 ? sizeof(T) - 1 : 64));
}

}  // namespace posse
