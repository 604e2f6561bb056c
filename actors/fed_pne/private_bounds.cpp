// SPDX-License-Identifier: Apache-2.0
#include "actors/fed_pne/private_bounds.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/base/math.hpp"
#include "core/theory/integers.hpp"

namespace posse::theory {
namespace {

double private_log_term(const FedPneParameters& p) { return std::max(0.0, fed_pne_log_term(p)); }

}  // namespace

double privacy_noise_sd(const Privacy& privacy) {
  if (!privacy.adds_noise()) return 0;
  return privacy.mechanism == PrivacyMechanism::laplace
             ? std::numbers::sqrt2 / privacy.epsilon
             : std::sqrt(2 * math::log(1.25 / privacy.delta)) / privacy.epsilon;
}

double privacy_noise_quantile(const Privacy& privacy, double u) {
  if (!privacy.adds_noise()) return 0;
  const double tails = 2 * std::min(u, 1 - u);  // P(|noise| > size)
  const double size = privacy.mechanism == PrivacyMechanism::laplace
                          ? -math::log(tails) / privacy.epsilon
                          : privacy_noise_sd(privacy) * std::numbers::sqrt2 * math::erfc_inv(tails);
  return u < 0.5 ? -size : size;
}

double dp_fed_pne_width(const FedPneParameters& p, const Privacy& privacy, std::uint64_t arrived) {
  if (!privacy.adds_noise()) return 0;
  const auto m = static_cast<double>(arrived);
  const double one_reward = p.c * std::sqrt(private_log_term(p));  // sqrt(ln(2 / beta) / 2)
  if (!privacy.theory_radius) return one_reward / std::sqrt(m) * privacy_noise_sd(privacy);
  if (privacy.mechanism == PrivacyMechanism::gaussian)
    return 2 * one_reward / std::sqrt(m) * privacy_noise_sd(privacy);
  return 4 * one_reward * std::max(std::sqrt(m), 2 * one_reward) / (m * privacy.epsilon);
}

double dp_fed_pne_radius(const FedPneParameters& p,
                         const Privacy& privacy,
                         std::uint64_t pulls,
                         std::uint64_t arrived) {
  const double without = fed_pne_radius(p, pulls, arrived);
  if (!privacy.adds_noise()) return without;
  return without + dp_fed_pne_width(p, privacy, arrived) / static_cast<double>(pulls);
}

std::uint64_t dp_fed_pne_tau(const FedPneParameters& p,
                             const Privacy& privacy,
                             std::uint32_t depth) {
  const double width = dp_fed_pne_width(p, privacy, p.clients);
  if (!(width > 0)) return fed_pne_tau(p, depth);
  const auto m = static_cast<double>(p.clients);
  const double a = p.c * std::sqrt(private_log_term(p) / m);
  const double g = p.nu1 * math::pow(p.rho, static_cast<double>(depth));
  // y = 1 / sqrt(t) solves W y^2 + A y = g; this form of the root avoids cancellation for small W.
  const double y = 2 * g / (a + std::sqrt(a * a + 4 * width * g));
  return ceil_to_count(m / (y * y));
}

std::uint64_t dp_fed_pne_pulls(const FedPneParameters& p,
                               const Privacy& privacy,
                               std::uint32_t depth) {
  return 1 + (dp_fed_pne_tau(p, privacy, depth) - 1) / p.clients;
}

bool dp_fed_pne_expands(const FedPneParameters& p,
                        const Privacy& privacy,
                        std::uint32_t depth,
                        std::uint64_t cells) {
  return depth < 1 || dp_fed_pne_tau(p, privacy, depth) <= p.clients / cells;
}

std::uint32_t dp_fed_pne_depth_ceiling(const FedPneParameters& p,
                                       const Privacy& privacy,
                                       std::uint32_t max_depth) {
  std::uint32_t deepest = 0;
  while (deepest < max_depth &&
         dp_fed_pne_pulls(p, privacy, deepest + 1) <= p.horizon / p.children_per_cell)
    ++deepest;
  return deepest;
}

}  // namespace posse::theory
