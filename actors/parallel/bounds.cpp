// SPDX-License-Identifier: Apache-2.0
#include "actors/parallel/bounds.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/base/math.hpp"
#include "core/theory/integers.hpp"

namespace posse::theory {
namespace {

constexpr double kPi = std::numbers::pi;

double players(const ParallelParameters& p) { return static_cast<double>(p.players); }
double budget(const ParallelParameters& p) { return static_cast<double>(p.budget); }

}  // namespace

double parallel_log_term(const ParallelParameters& p, std::uint32_t depth, double active_cells) {
  const double level = static_cast<double>(depth) + 1;
  return math::log(kPi * kPi * level * level * active_cells / (3 * p.delta));
}

bool parallel_constants_apply(const ParallelParameters& p) {
  return p.c_squared >= kTheoryCSquared;
}

std::uint64_t parallel_pulls(const ParallelParameters& p,
                             std::uint32_t depth,
                             double active_cells) {
  const double scale = p.nu1 * math::pow(p.rho, depth);
  return ceil_to_count(p.c_squared * parallel_log_term(p, depth, active_cells) /
                       (players(p) * (scale * scale)));
}

double parallel_margin(const ParallelParameters& p, std::uint32_t depth) {
  return 3 * p.nu1 * math::pow(p.rho, depth);
}

double parallel_radius(const ParallelParameters& p, std::uint32_t depth, double active_cells) {
  const auto pulls = static_cast<double>(parallel_pulls(p, depth, active_cells));
  return std::sqrt(p.c_squared * parallel_log_term(p, depth, active_cells) / (players(p) * pulls));
}

std::uint64_t parallel_rounds_ceiling(const ParallelParameters& p) {
  const double depth_by_width =
      (math::log(players(p) * budget(p) /
                 (2 * p.c_squared * math::log(kPi * kPi / (3 * p.delta)))) +
       2 * math::log(p.nu1)) /
      (-2 * math::log(p.rho));
  const std::uint64_t depth_by_steps = (p.budget - 1) / p.children_per_cell;
  return 1 + std::min(floor_to_count(depth_by_width), depth_by_steps);
}

double parallel_rounds_paper(const ParallelParameters& p) {
  return 1 + (math::log(players(p) * budget(p)) + 2 * math::log(p.nu1)) / (-2 * math::log(p.rho));
}

bool parallel_rounds_paper_applies(const ParallelParameters& p) {
  return parallel_constants_apply(p) &&
         p.delta <= kPi * kPi / (3 * std::numbers::e * std::numbers::e);
}

double parallel_values_bound(const ParallelParameters& p, std::span<const std::uint64_t> pulls) {
  double bound = 0;
  double cells = 1;  // k^h
  for (const std::uint64_t per_cell : pulls) {
    bound += std::min(cells, budget(p) / static_cast<double>(per_cell));
    cells *= p.children_per_cell;
  }
  return bound;
}

double parallel_loss_bound(const ParallelParameters& p, std::uint32_t deepest_level) {
  return parallel_margin(p, deepest_level);
}

GuaranteedDepth parallel_guaranteed_depth(const ParallelParameters& p,
                                          std::uint32_t max_depth,
                                          const NearOptimalCount& near_optimal) {
  GuaranteedDepth guaranteed;
  double all_cells = 1;  // k^h
  double steps = 0;
  for (std::uint32_t h = 0; h <= max_depth; ++h, all_cells *= p.children_per_cell) {
    double cells = all_cells;
    if (h > 0 && near_optimal) cells = std::min(cells, p.children_per_cell * near_optimal(h - 1));
    steps += static_cast<double>(parallel_pulls(p, h, cells)) * cells;
    if (!(steps <= budget(p))) break;
    guaranteed = {true, h, steps};
  }
  return guaranteed;
}

double parallel_loss_rate(const ParallelParameters& p, double d, double C) {
  const double n = budget(p);
  const double c1 = math::pow(C * math::pow(6, -d) / (1 - math::pow(p.rho, d + 2)), 1 / (d + 2)) /
                    (p.rho * p.nu1);
  const double log_term = math::log(kPi * kPi * n * n * n / (3 * p.delta));
  return 6 * p.nu1 * c1 * math::pow(log_term / (players(p) * n), 1 / (d + 2));
}

}  // namespace posse::theory
