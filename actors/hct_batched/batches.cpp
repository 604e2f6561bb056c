// SPDX-License-Identifier: Apache-2.0
#include "actors/hct_batched/batches.hpp"

#include <algorithm>
#include <cmath>

namespace posse {

std::uint64_t BatchSizes::next(std::uint64_t steps) const {
  const std::uint64_t left = budget - steps;
  const double grown = std::floor((growth - 1) * static_cast<double>(steps));
  if (grown >= static_cast<double>(left)) return left;
  return std::min(left, std::max(least, static_cast<std::uint64_t>(grown)));
}

std::uint64_t BatchSizes::count(std::uint64_t most) const {
  std::uint64_t batches = 0;
  for (std::uint64_t steps = 0; steps < budget && batches <= most; ++batches) steps += next(steps);
  return batches;
}

}  // namespace posse
