// SPDX-License-Identifier: Apache-2.0
// Fetching memory to the processor's caches before it is needed.
#pragma once

namespace posse {

/// Begins to fetch what is at `place`, and does not wait for it. Functions that only fetch must be
/// inlined, as this one is: for the compiler they have no effect, and it leaves out calls of them.
[[gnu::always_inline]] inline void fetch(const void* place) { __builtin_prefetch(place); }

}  // namespace posse
