// SPDX-License-Identifier: Apache-2.0
#include "core/arm/arm.hpp"

#include <algorithm>

namespace posse {

std::optional<double> ArmSet::minimum() const {
  std::optional<double> least;
  for (const auto& arm : arms) {
    if (!arm.minimum) return std::nullopt;
    least = std::min(least.value_or(*arm.minimum), *arm.minimum);
  }
  return least;
}

std::optional<double> ArmSet::rank_of(std::size_t arm) const {
  if (arms.at(arm).rank) return arms[arm].rank;
  double better = 0;
  bool differ = false;
  for (const auto& other : arms) {
    if (!other.minimum || !arms[arm].minimum) return std::nullopt;
    if (*other.minimum < *arms[arm].minimum) ++better;
    differ = differ || *other.minimum != *arms[arm].minimum;
  }
  return differ ? std::optional(1 + better) : std::nullopt;
}

const Arm* ArmSet::first_with_rewards(bool rewards) const {
  for (const auto& arm : arms)
    if ((arm.reward != nullptr) == rewards) return &arm;
  return nullptr;
}

}  // namespace posse
