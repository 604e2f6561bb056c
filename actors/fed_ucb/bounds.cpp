// SPDX-License-Identifier: Apache-2.0
#include "actors/fed_ucb/bounds.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/math.hpp"

namespace posse::theory {
namespace {

double log_of(std::uint64_t horizon) { return math::log(static_cast<double>(horizon)); }

}  // namespace

std::uint64_t fed1_ucb_pulls(std::uint64_t horizon) {
  return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(10 * log_of(horizon)));
}

double fed1_ucb_radius(double sigma,
                       std::uint64_t horizon,
                       std::uint64_t clients,
                       std::uint64_t n) {
  return std::sqrt(4 * sigma * sigma * log_of(horizon) /
                   (static_cast<double>(clients) * static_cast<double>(n)));
}

std::uint64_t fed2_ucb_joined(std::uint64_t clients, std::uint32_t phase) {
  if (phase >= 62) return clients;
  return std::min(clients, (std::uint64_t{2} << phase) - 2);
}

double fed2_ucb_radius(double sigma,
                       double sigma_c,
                       std::uint64_t horizon,
                       std::span<const std::uint64_t> joined,
                       std::uint32_t phase,
                       std::uint64_t pulls_per_phase) {
  double clients = 0;
  double sum = 0;
  for (std::size_t q = 0; q < joined.size(); ++q) {
    const auto phases = static_cast<double>(phase - q);
    clients += static_cast<double>(joined[q]);
    sum += static_cast<double>(joined[q]) / (phases * static_cast<double>(pulls_per_phase));
  }
  const double eta = sum / (clients * clients);
  return std::sqrt(sigma * sigma * eta * log_of(horizon)) +
         std::sqrt(sigma_c * sigma_c * log_of(horizon) / clients);
}

std::uint64_t fed_ucb_phases_ceiling(std::uint64_t horizon,
                                     std::uint64_t arms,
                                     std::uint64_t pulls_per_phase) {
  if (arms < 2 || pulls_per_phase > horizon / arms) return 0;
  return 1 + (horizon - arms * pulls_per_phase) / 2 / pulls_per_phase;
}

}  // namespace posse::theory
