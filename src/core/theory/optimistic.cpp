// SPDX-License-Identifier: Apache-2.0
#include "core/theory/optimistic.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/base/math.hpp"

namespace posse::theory {
namespace {

/// C rho^{-dh}, the largest number of cells in I_h.
double near_optimal_cells(const NearOptimality& near, double rho, std::uint32_t h) {
  return near.constant * math::pow(rho, -near.dimension * h);
}

}  // namespace

double harmonic(std::uint64_t n) {
  if (n > 1000) {
    constexpr double kEulerGamma = 0.57721566490153286;
    const auto x = static_cast<double>(n);
    return math::log(x) + kEulerGamma + 1 / (2 * x) - 1 / (12 * x * x);
  }
  double sum = 0;
  for (std::uint64_t t = 1; t <= n; ++t) sum += 1 / static_cast<double>(t);
  return sum;
}

std::uint32_t soo_depth(std::uint64_t t) {
  return static_cast<std::uint32_t>(std::min(std::sqrt(static_cast<double>(t)), 0x1p31));
}

std::uint32_t soo_loss_depth(std::uint64_t expansions,
                             std::uint32_t max_depth,
                             const NearOptimality& near,
                             double rho) {
  double cells = 0;
  for (std::uint32_t h = 0; h <= max_depth; ++h) {
    cells += near_optimal_cells(near, rho, h);
    if (max_depth * cells >= static_cast<double>(expansions)) return h;
  }
  return max_depth + 1;
}

std::uint32_t doo_loss_depth(std::uint64_t expansions,
                             std::uint32_t deepest,
                             const NearOptimality& near,
                             double rho) {
  double cells = 0;
  std::uint32_t h = 0;
  for (; h < deepest; ++h) {
    cells += near_optimal_cells(near, rho, h);
    if (cells >= static_cast<double>(expansions)) break;
  }
  return h;
}

std::uint64_t sequool_depth(std::uint64_t openings) {
  return static_cast<std::uint64_t>(static_cast<double>(openings) / harmonic(openings));
}

std::uint64_t sequool_openings(std::uint64_t max_depth, std::uint64_t depth) {
  std::uint64_t openings = 1;
  for (std::uint64_t h = 1; h <= depth; ++h) openings += max_depth / h;
  return openings;
}

std::uint32_t sequool_loss_depth(std::uint64_t max_depth,
                                 std::uint32_t deepest,
                                 const NearOptimality& near,
                                 double rho) {
  std::uint32_t h = 0;
  while (h < deepest &&
         static_cast<double>(max_depth / (h + 1)) >= near_optimal_cells(near, rho, h + 1))
    ++h;
  return h + 1;
}

std::uint64_t stroquool_depth(std::uint64_t n, std::uint32_t children_per_cell) {
  const double log_term = harmonic(n) + 1;
  return std::max<std::uint64_t>(
      1,
      static_cast<std::uint64_t>(static_cast<double>(n) /
                                 (children_per_cell * log_term * log_term)));
}

double stroquool_evaluations(std::uint64_t max_depth,
                             std::uint64_t depth,
                             std::uint32_t children_per_cell) {
  auto openings = static_cast<double>(max_depth);
  for (std::uint64_t h = 1; h <= depth; ++h) {
    const std::uint64_t most = max_depth / h;
    // All m in first … last have the same q = floor(h_max / (h m)).
    for (std::uint64_t first = 1, last; first <= most; first = last + 1) {
      const std::uint64_t q = most / first;
      last = most / q;
      openings += static_cast<double>((last - first + 1) * q);
    }
  }
  return children_per_cell * openings +
         static_cast<double>(std::bit_width(max_depth)) * static_cast<double>(max_depth);
}

std::uint32_t stroquool_loss_depth(std::uint64_t max_depth,
                                   std::uint32_t deepest,
                                   const NearOptimality& near,
                                   double rho) {
  std::uint32_t h = 0;
  for (double rank = 1; h < deepest; ++h) {
    rank += std::max(1.0, near_optimal_cells(near, rho, h + 1)) - 1;
    if (static_cast<double>(max_depth / (h + 1)) < rank) break;
  }
  return h + 1;
}

double stroquool_loss_rate(std::uint64_t n, double d) {
  const double log_n = math::log(static_cast<double>(n));
  return math::pow(log_n * log_n * log_n * log_n / static_cast<double>(n), 1 / (d + 2));
}

double zooming_radius(std::uint64_t n, std::uint64_t pulls) {
  return std::sqrt(2 * math::log(static_cast<double>(n)) / (static_cast<double>(pulls) + 1));
}

std::uint64_t zooming_pulls(std::uint64_t n, double nu, double rho, std::uint32_t depth) {
  const double diameter = nu * math::pow(rho, depth);
  const double pulls = 2 * math::log(static_cast<double>(n)) / (diameter * diameter);
  if (!(pulls < 0x1p63)) return std::uint64_t{1} << 63;
  return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(pulls));
}

std::uint32_t zooming_depth_bound(std::uint64_t n, double nu, double rho, std::uint32_t limit) {
  std::uint32_t depth = 0;
  while (depth < limit && zooming_pulls(n, nu, rho, depth) <= n) ++depth;
  return depth;
}

double zooming_cells_bound(
    std::uint64_t n, double nu, double rho, std::uint32_t children_per_cell, std::uint32_t limit) {
  double level = 1;  // k^h
  double split = 0;
  for (std::uint32_t h = 0; h < zooming_depth_bound(n, nu, rho, limit); ++h) {
    split += std::min(level, static_cast<double>(n / zooming_pulls(n, nu, rho, h)));
    level *= children_per_cell;
  }
  return 1 + children_per_cell * split;
}

double zooming_regret_rate(std::uint64_t n, double d) {
  return math::pow(static_cast<double>(n), (d + 1) / (d + 2)) *
         math::pow(math::log(static_cast<double>(n)), 1 / (d + 2));
}

}  // namespace posse::theory
