#include "core/functional/arm.hpp"

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

}  // namespace posse
