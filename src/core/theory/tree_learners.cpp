// SPDX-License-Identifier: Apache-2.0
#include "core/theory/tree_learners.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/base/math.hpp"
#include "core/theory/confidence.hpp"
#include "core/theory/integers.hpp"

namespace posse::theory {
namespace {

double real(std::uint64_t n) { return static_cast<double>(n); }

double smoothness(const HctParameters& p, std::uint32_t depth) {
  return p.nu * math::pow(p.rho, depth);
}

}  // namespace

std::uint32_t t_hoo_depth(std::uint64_t n, double nu, double rho) {
  const double depth = (0.5 * math::log(real(n)) - math::log(1 / nu)) / math::log(1 / rho);
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(ceil_to_count(depth), 1u << 31));
}

double hoo_regret_rate(std::uint64_t n, double d) {
  return math::pow(real(n), (d + 1) / (d + 2)) * math::pow(math::log(real(n)), 1 / (d + 2));
}

double hct_theory_c(double rho) { return 2 / std::sqrt(1 - rho); }

double hct_log_term(const HctParameters& p, std::uint64_t t) {
  const double c1 = math::pow(p.rho / (3 * p.nu), 0.125);
  return math::log(1 / std::min(c1 * p.delta / real(std::bit_ceil(t)), 0.5));
}

std::uint64_t hct_pulls(const HctParameters& p, double log_term, std::uint32_t depth) {
  return confident_pulls(p.c, log_term, p.nu, p.rho, depth);
}

std::uint64_t vhct_pulls(
    const HctParameters& p, double range, double variance, double log_term, std::uint32_t depth) {
  return vhct_pulls_of(p, range, variance, log_term, smoothness(p, depth));
}

std::uint64_t vhct_pulls_of(
    const HctParameters& p, double range, double variance, double log_term, double smoothness) {
  return ceil_to_count((variance + 3 * range * smoothness +
                        variance * std::sqrt(1 + 6 * range * smoothness / variance)) *
                       p.c * p.c * log_term / (smoothness * smoothness));
}

double hct_radius(const HctParameters& p, double log_term, std::uint64_t pulls) {
  return p.c * std::sqrt(log_term / real(pulls));
}

double vhct_radius(
    const HctParameters& p, double range, double variance, double log_term, std::uint64_t pulls) {
  return p.c * std::sqrt(2 * variance * log_term / real(pulls)) +
         3 * range * p.c * p.c * log_term / real(pulls);
}

std::uint64_t hct_depth_bound(const HctParameters& p, std::uint64_t n) {
  // Uses logarithms, since the products can exceed the range of double.
  const double log_ratio =
      math::log(real(n)) - 2 * math::log(p.c / p.nu) - math::log(hct_log_term(p, 1));
  return 1 + floor_to_count(log_ratio / (-2 * math::log(p.rho)));
}

std::uint64_t vhct_depth_bound(const HctParameters& p, double range, std::uint64_t n) {
  constexpr std::uint32_t kDeepest = 1000;  // far above any partition's limit
  const double log_term = hct_log_term(p, 1);
  std::uint32_t expanded = 0;  // deepest depth of an expanded cell
  while (expanded < kDeepest &&
         vhct_pulls(p, range, kVhctLeastVariance, log_term, expanded + 1) <= n)
    ++expanded;
  return expanded + 1;
}

double hct_cells_bound(const HctParameters& p,
                       std::optional<double> range,
                       std::uint64_t n,
                       std::uint32_t children_per_cell,
                       std::uint32_t max_depth) {
  const double log_term = hct_log_term(p, 1);
  const std::uint64_t deepest = std::min<std::uint64_t>(
      max_depth, range ? vhct_depth_bound(p, *range, n) : hct_depth_bound(p, n));
  double level = 1;     // k^h
  double expanded = 1;  // the root, which needs no pulls
  for (std::uint32_t h = 1; h < deepest; ++h) {
    level *= children_per_cell;
    const auto pulls =
        range ? vhct_pulls(p, *range, kVhctLeastVariance, log_term, h) : hct_pulls(p, log_term, h);
    const std::uint64_t affordable = n / pulls;
    expanded += std::min(level, static_cast<double>(affordable));
  }
  return 1 + children_per_cell * expanded;
}

double hct_depth_paper(const HctParameters& p, std::uint64_t n) {
  return std::ceil((math::log(real(n)) - 2 * math::log(p.c * p.rho / p.nu)) / (2 * (1 - p.rho)));
}

bool hct_depth_paper_applies(const HctParameters& p) { return hct_log_term(p, 1) >= 1; }

bool hct_constants_apply(const HctParameters& p) { return p.c >= hct_theory_c(p.rho); }

double hct_regret_bound(const HctParameters& p, std::uint64_t n, double d, double C) {
  const double log_n = math::log(2 * real(n) / p.delta) + 0.125 * math::log(3 * p.nu / p.rho);
  const double concentration =
      std::sqrt(real(n)) + std::sqrt(2 * real(n) * math::log(4 * real(n) * real(n) / p.delta));
  const double cells =
      4 * C * math::pow(p.rho, d) * log_n / ((1 - p.rho) * (1 - p.rho) * p.nu * p.nu);
  return concentration +
         24 * p.nu * math::pow(cells, 1 / (d + 2)) * math::pow(real(n), (d + 1) / (d + 2));
}

double poo_depth_constant(std::uint32_t children_per_cell, double rho_max) {
  return math::log(static_cast<double>(children_per_cell)) / math::log(1 / rho_max);
}

bool poo_doubles(std::uint64_t n, std::uint64_t instances, double depth_constant) {
  return n >= 3 &&
         real(instances) <= 0.5 * depth_constant * math::log(real(n) / math::log(real(n)));
}

double poo_rho(double rho_max, std::uint64_t instances, std::uint64_t i) {
  return math::pow(rho_max, 2 * real(instances) / (2 * real(i) + 1));
}

double poo_loss_rate(std::uint64_t n, double d) {
  const double log_n = math::log(real(n));
  return math::pow(log_n * log_n / real(n), 1 / (d + 2));
}

std::uint64_t gpo_instances(std::uint64_t n, double depth_constant) {
  const double half = real(n) / 2;
  if (half < 3) return 1;
  return std::min(ceil_to_count(0.5 * depth_constant * math::log(half / math::log(half))), n / 2);
}

std::uint64_t stosoo_pulls(std::uint64_t n) {
  const double log_n = math::log(real(n));
  return ceil_to_count(real(n) / (log_n * log_n * log_n));
}

double stosoo_delta(std::uint64_t n) { return 1 / std::sqrt(real(n)); }

std::uint32_t stosoo_depth(std::uint64_t n, std::uint64_t kappa) {
  return static_cast<std::uint32_t>(std::sqrt(real(n) / real(kappa)));
}

double stosoo_loss_rate(std::uint64_t n) {
  const double log_n = math::log(real(n));
  return log_n * log_n / std::sqrt(real(n));
}

}  // namespace posse::theory
