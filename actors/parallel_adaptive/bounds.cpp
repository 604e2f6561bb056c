// SPDX-License-Identifier: Apache-2.0
#include "actors/parallel_adaptive/bounds.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/math.hpp"
#include "core/theory/tree_learners.hpp"

namespace posse::theory {

std::uint64_t adaptive_instances(const AdaptiveParameters& p) {
  return gpo_instances(p.players * p.budget, poo_depth_constant(p.children_per_cell, p.rho_max));
}

std::vector<double> adaptive_grid(const AdaptiveParameters& p, std::uint64_t instances) {
  std::vector<double> grid;
  for (std::uint64_t i = 1; i <= instances; ++i) grid.push_back(poo_rho(p.rho_max, instances, i));
  return grid;
}

std::uint64_t adaptive_exploration(const AdaptiveParameters& p, std::uint64_t instances) {
  if (instances == 1) return p.budget;
  return static_cast<std::uint64_t>(std::floor(p.explore * static_cast<double>(p.budget)));
}

std::uint64_t adaptive_allowance(const AdaptiveParameters& p, std::uint64_t instances) {
  return std::max<std::uint64_t>(1, adaptive_exploration(p, instances) / instances);
}

std::uint64_t adaptive_allowances(const AdaptiveParameters& p, std::uint64_t instances) {
  std::uint64_t allowances = 1;
  const std::uint64_t most = adaptive_exploration(p, instances);
  for (std::uint64_t a = adaptive_allowance(p, instances); a < most; a *= 2) ++allowances;
  return allowances;
}

double adaptive_choice_error(const AdaptiveParameters& p,
                             std::uint64_t instances,
                             double delta,
                             std::uint64_t fresh_evaluations) {
  if (instances == 1) return 0;
  return 2 *
         std::sqrt(math::log(2 * static_cast<double>(instances) / delta) /
                   (2 * static_cast<double>(p.players) * static_cast<double>(fresh_evaluations)));
}

}  // namespace posse::theory
