// SPDX-License-Identifier: Apache-2.0
#include "actors/f_lcb/bounds.hpp"

#include <algorithm>

#include "core/optimizer/optimizer.hpp"

namespace posse::theory {

std::optional<std::uint64_t> bfi_pulls_ceiling(const ArmSet& arms,
                                               double epsilon,
                                               std::uint64_t most) {
  const auto least = arms.minimum();
  if (!least) return std::nullopt;
  std::uint64_t ceiling = 1;
  for (const auto& arm : arms.arms) {
    const double enough = std::max(*arm.minimum - *least - epsilon / 2, epsilon / 2);
    const auto optimizer = arm.start(0);
    do {
      if (optimizer->steps() == most) return std::nullopt;
      optimizer->step();
    } while (optimizer->bound() > enough);
    ceiling += optimizer->steps();
  }
  return ceiling;
}

}  // namespace posse::theory
