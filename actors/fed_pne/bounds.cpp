// SPDX-License-Identifier: Apache-2.0
#include "actors/fed_pne/bounds.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/math.hpp"
#include "core/theory/confidence.hpp"
#include "core/theory/integers.hpp"

namespace posse::theory {
namespace {

double clients(const FedPneParameters& p) { return static_cast<double>(p.clients); }
double horizon(const FedPneParameters& p) { return static_cast<double>(p.horizon); }

}  // namespace

double fed_pne_log_term(const FedPneParameters& p) {
  return math::log(p.c1 * horizon(p) / p.delta);
}

std::uint64_t fed_pne_tau(const FedPneParameters& p, std::uint32_t depth) {
  return confident_pulls(p.c, fed_pne_log_term(p), p.nu1, p.rho, depth);
}

std::uint64_t fed_pne_pulls(const FedPneParameters& p, std::uint32_t depth) {
  return 1 + (fed_pne_tau(p, depth) - 1) / p.clients;
}

bool fed_pne_expands(const FedPneParameters& p, std::uint32_t depth, std::uint64_t cells) {
  // |K| tau_h <= M without overflow: tau_h <= floor(M / |K|).
  return depth < 1 || fed_pne_tau(p, depth) <= p.clients / cells;
}

double fed_pne_radius(const FedPneParameters& p, std::uint64_t pulls, std::uint64_t arrived) {
  const double total_pulls = static_cast<double>(arrived) * static_cast<double>(pulls);
  return p.c * std::sqrt(std::max(0.0, fed_pne_log_term(p)) / total_pulls);
}

std::uint64_t fed_pne_depth_ceiling(const FedPneParameters& p) {
  // Logarithms of the factors, because their products can overflow. Lambda = 0 gives infinity.
  const double log_ratio = math::log(horizon(p) * clients(p)) - 2 * math::log(p.c / p.nu1) -
                           math::log(p.children_per_cell * fed_pne_log_term(p));
  return floor_to_count(log_ratio / (-2 * math::log(p.rho)));
}

bool fed_pne_constants_apply(const FedPneParameters& p) {
  return p.c >= 2 && p.c1 >= math::pow(2 * clients(p), 0.125);
}

double fed_pne_certificate(const FedPneParameters& p, std::span<const FedPnePhase> phases) {
  double bound = 0;
  for (std::size_t i = 0; i < phases.size(); ++i) {
    const double per_pull =
        i == 0 ? 1 : std::min(1.0, 12 * p.nu1 * math::pow(p.rho, phases[i - 1].depth));
    bound += static_cast<double>(phases[i].pulls_per_client) * per_pull;
  }
  return bound;
}

double fed_pne_regret_bound(const FedPneParameters& p, double d, double C) {
  return fed_pne_regret_bound(p, d, C, [&](std::uint32_t h) { return fed_pne_tau(p, h); });
}

double fed_pne_regret_bound(const FedPneParameters& p,
                            double d,
                            double C,
                            const std::function<std::uint64_t(std::uint32_t depth)>& tau) {
  const double k = p.children_per_cell;
  const double M = clients(p);
  const double T = horizon(p);
  double unsampled = 0;  // levels that are split without sampling, |K| tau_h <= M
  for (std::uint32_t h = 1; h <= 1000 && tau(h) <= p.clients; ++h)
    unsampled += 12 * M * p.nu1 * math::pow(p.rho, h - 1.0) * math::pow(k, h);

  const double failure = 2 * M * p.delta * math::pow(T, -5);
  double sampled = 0;
  double best = std::numeric_limits<double>::infinity();
  // Beyond tau_H = 2^53 the sum exceeds any horizon, so the minimum is at a smaller H.
  for (std::uint32_t H = 0;; ++H) {
    if (H >= 1) {
      const double scale = p.nu1 * math::pow(p.rho, H - 1.0);
      sampled += 12 * scale * static_cast<double>(tau(H)) * k * C * math::pow(scale, -d);
    }
    best = std::min(best, unsampled + sampled + 12 * M * T * p.nu1 * math::pow(p.rho, H) + failure);
    if (H >= 1000 || tau(H) >= std::uint64_t{1} << 53) break;
  }
  return best;
}

}  // namespace posse::theory
