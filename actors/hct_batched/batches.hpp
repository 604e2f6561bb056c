// SPDX-License-Identifier: Apache-2.0
// The sizes of the batches of batched HCT.
#pragma once

#include <cstdint>

namespace posse {

struct BatchSizes {
  std::uint64_t budget = 1;  // T, evaluations per client
  std::uint64_t least = 1;   // b0 >= 1
  double growth = 2;         // g >= 1

  /// Evaluations per client in the batch that begins after `steps` < T evaluations: max(b0,
  /// floor((g - 1) steps)), but no more than are left.
  std::uint64_t next(std::uint64_t steps) const;
  /// The number of batches, or `most` + 1 if it is larger than `most`: ceil(T / b0) for g = 1, 1 +
  /// ceil(log2 T) for b0 = 1 and g = 2, always of order log T for g > 1. O(batches).
  std::uint64_t count(std::uint64_t most) const;
};

}  // namespace posse
