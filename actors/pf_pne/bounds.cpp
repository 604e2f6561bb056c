// SPDX-License-Identifier: Apache-2.0
#include "actors/pf_pne/bounds.hpp"

#include <algorithm>

#include "core/base/math.hpp"

namespace posse::theory {
namespace {

double smoothness(const PfPneParameters& p, double depth) {
  return p.federation.nu1 * math::pow(p.federation.rho, depth);
}

}  // namespace

std::optional<std::uint32_t> pf_pne_shared_depth(const PfPneParameters& p, std::uint32_t limit) {
  if (p.federation.nu1 < p.max_difference) return std::nullopt;
  std::uint32_t depth = 0;
  while (depth < limit && smoothness(p, depth + 1.0) >= p.max_difference) ++depth;
  return depth;
}

std::uint64_t pf_pne_rounds_ceiling(const PfPneParameters& p, std::uint32_t limit) {
  const auto shared = pf_pne_shared_depth(p, limit);
  if (!shared) return 0;
  const std::uint64_t by_budget = 1 + (p.federation.horizon - 1) / p.federation.children_per_cell;
  // A complete level h >= 1 pulls at least k cells t_h times within T, as Fed-PNE's phases do.
  return std::min({*shared + std::uint64_t{1}, fed_pne_depth_ceiling(p.federation) + 1, by_budget});
}

bool pf_pne_constants_apply(const PfPneParameters& p) {
  const auto clients = static_cast<double>(p.federation.clients);
  return p.federation.c >= 2 && p.federation.c1 >= math::pow(2 * clients * clients, 0.125);
}

double pf_pne_shared_regret(const PfPneParameters& p, std::uint32_t depth) {
  if (depth == 0) return 1;
  return std::min(1.0, 12 * smoothness(p, depth - 1.0) + p.max_difference);
}

double pf_pne_own_regret(const PfPneParameters& p, std::uint32_t depth, bool parent_protected) {
  if (depth == 0 || parent_protected) return 1;
  return std::min(1.0, (p.safe ? 26 : 24) * smoothness(p, depth - 1.0));
}

}  // namespace posse::theory
