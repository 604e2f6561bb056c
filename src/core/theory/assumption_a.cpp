// SPDX-License-Identifier: Apache-2.0
#include "core/theory/assumption_a.hpp"

#include <vector>

#include "core/base/math.hpp"

namespace posse::theory {

namespace {

template <class Value>
std::optional<std::uint32_t> fails_at(const CertifiedMaximum& maximum,
                                      const Partition& partition,
                                      double nu1,
                                      double rho,
                                      std::uint32_t deepest,
                                      Value value) {
  if (maximum.conventional) return 0;
  for (std::uint32_t h = 0; h <= deepest; ++h) {
    const auto centre = partition.point(partition.locate(h, maximum.point));
    if (value(centre) < maximum.value - nu1 * math::pow(rho, h)) return h;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::uint32_t> assumption_a_fails_at(const Problem& problem,
                                                   const Partition& partition,
                                                   double nu1,
                                                   double rho,
                                                   std::uint32_t deepest) {
  return fails_at(
      problem.mean_maximum(), partition, nu1, rho, deepest, [&](const std::vector<double>& x) {
        return problem.mean(x);
      });
}

std::optional<std::uint32_t> local_assumption_a_fails_at(const Problem& problem,
                                                         const Partition& partition,
                                                         double nu1,
                                                         double rho,
                                                         std::uint32_t deepest,
                                                         std::size_t client) {
  return fails_at(problem.local_maximum(client),
                  partition,
                  nu1,
                  rho,
                  deepest,
                  [&](const std::vector<double>& x) { return problem.local(client, x); });
}

}  // namespace posse::theory
