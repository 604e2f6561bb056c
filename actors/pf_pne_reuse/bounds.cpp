// SPDX-License-Identifier: Apache-2.0
#include "actors/pf_pne_reuse/bounds.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/math.hpp"
#include "core/theory/confidence.hpp"

namespace posse::theory {

double reuse_log_term(const ReuseParameters& p, Stake stake, std::uint32_t depth) {
  const auto horizon = static_cast<double>(p.horizon);
  if (p.confidence == Confidence::horizon) return math::log(p.c1 * horizon / p.delta);
  const double evaluations =
      stake == Stake::together ? horizon * static_cast<double>(p.clients) : horizon;
  // A sum of logarithms, because the product can overflow.
  return std::max(1.0,
                  math::log(evaluations) +
                      2 * (math::log(p.nu1) + static_cast<double>(depth) * math::log(p.rho)));
}

double reuse_radius(const ReuseParameters& p, Stake stake, std::uint32_t depth, std::uint64_t n) {
  return p.c * std::sqrt(std::max(0.0, reuse_log_term(p, stake, depth)) / static_cast<double>(n));
}

std::uint64_t reuse_tau(const ReuseParameters& p, Stake stake, std::uint32_t depth) {
  return confident_pulls(p.c, reuse_log_term(p, stake, depth), p.nu1, p.rho, depth);
}

double clients_spread(std::uint64_t clients,
                      std::uint64_t cells,
                      double mean_variance,
                      double noise_variance) {
  const double freedom = static_cast<double>(clients - 1) * static_cast<double>(cells);
  const double least = mean_variance * (1 - 2 * std::sqrt(2 / freedom)) - noise_variance;
  return std::sqrt(std::max(0.0, least));
}

}  // namespace posse::theory
