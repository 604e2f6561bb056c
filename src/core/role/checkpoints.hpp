// SPDX-License-Identifier: Apache-2.0
// Checkpoints: the numbers of evaluations at which regret curves have a point. They are 1, 2, … 8,
// then four per doubling. A role that takes many steps reports recommendations at checkpoints only.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "core/base/math.hpp"

namespace posse {

/// Checkpoint number `index`, from 0; increasing.
inline std::uint64_t checkpoint(std::size_t index) {
  constexpr int kPerDoubling = 4;
  if (index < 8) return index + 1;
  const double exponent = 3.0 + static_cast<double>(index - 7) / kPerDoubling;
  return static_cast<std::uint64_t>(std::llround(math::exp2(exponent)));
}

/// Steps through the checkpoints.
class Checkpoints {
 public:
  /// The first checkpoint that was not passed.
  std::uint64_t next() const { return next_; }
  /// True if `count`, which must not decrease, has reached the next checkpoint. Then that
  /// checkpoint and all others up to `count` are passed.
  bool reached(std::uint64_t count) {
    if (count < next_) return false;
    while (next_ <= count) next_ = checkpoint(++index_);
    return true;
  }

 private:
  std::size_t index_ = 0;
  std::uint64_t next_ = 1;
};

}  // namespace posse
