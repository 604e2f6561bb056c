// SPDX-License-Identifier: Apache-2.0
#include "actors/fed_pne_variance/bounds.hpp"

#include <algorithm>
#include <numbers>

#include "core/theory/tree_learners.hpp"

namespace posse::theory {
namespace {

/// VHCT's formulas with c^2 log_term = 2 c^2 Lambda.
HctParameters vhct(const FedPneParameters& p) {
  return {.nu = p.nu1, .rho = p.rho, .c = std::numbers::sqrt2 * p.c};
}
double variance_log_term(const FedPneParameters& p) { return std::max(0.0, fed_pne_log_term(p)); }

double largest_variance(const VarianceParameters& v) { return v.range * v.range / 4; }

}  // namespace

double usable_variance(const VarianceParameters& v, double estimate) {
  return std::min(std::max(estimate, v.floor), largest_variance(v));
}

double fed_pne_variance_radius(const FedPneParameters& p,
                               const VarianceParameters& v,
                               double variance,
                               std::uint64_t pulls) {
  return vhct_radius(vhct(p), v.range, variance, variance_log_term(p), p.clients * pulls);
}

std::uint64_t fed_pne_variance_tau(const FedPneParameters& p,
                                   const VarianceParameters& v,
                                   double variance,
                                   std::uint32_t depth) {
  return vhct_pulls(vhct(p), v.range, variance, variance_log_term(p), depth);
}

std::uint64_t fed_pne_variance_pulls(const FedPneParameters& p,
                                     const VarianceParameters& v,
                                     double variance,
                                     std::uint32_t depth) {
  return std::max(kLeastRewards, 1 + (fed_pne_variance_tau(p, v, variance, depth) - 1) / p.clients);
}

std::uint32_t fed_pne_variance_depth_ceiling(const FedPneParameters& p,
                                             const VarianceParameters& v,
                                             std::uint32_t max_depth) {
  const double least = usable_variance(v, 0);
  std::uint32_t deepest = 0;
  while (deepest < max_depth &&
         fed_pne_variance_pulls(p, v, least, deepest + 1) <= p.horizon / p.children_per_cell)
    ++deepest;
  return deepest;
}

std::uint64_t fed_pne_variance_exchanges(const FedPneParameters& p,
                                         const VarianceParameters& v,
                                         std::uint32_t depth) {
  const auto most = fed_pne_variance_pulls(p, v, largest_variance(v), depth);
  std::uint64_t exchanges = 1;
  for (std::uint64_t pulls = kLeastRewards; pulls < most; pulls += (pulls + 3) / 4) ++exchanges;
  return exchanges;
}

}  // namespace posse::theory
