#include "core/theory/assumption_a.hpp"

#include <cmath>

namespace posse::theory {

std::optional<std::uint32_t> assumption_a_fails_at(const Problem& problem,
                                                   const Partition& partition,
                                                   double nu1,
                                                   double rho,
                                                   std::uint32_t deepest) {
  const auto& maximum = problem.mean_maximum();
  for (std::uint32_t h = 0; h <= deepest; ++h) {
    const auto centre = partition.point(partition.locate(h, maximum.point));
    if (problem.mean(centre) < maximum.value - nu1 * std::pow(rho, h)) return h;
  }
  return std::nullopt;
}

}  // namespace posse::theory
