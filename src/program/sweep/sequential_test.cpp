// SPDX-License-Identifier: Apache-2.0
#include "program/sweep/sequential_test.hpp"

#include <cmath>

#include "core/base/math.hpp"
#include "program/base/least_number.hpp"

namespace posse {

double log_bayes_factor(std::size_t n, double t) {
  const auto values = static_cast<double>(n);
  const double growth = 1 + values * kEffectVariance, square = t * t / (values - 1);
  return -math::log(growth) / 2 + values / 2 * (math::log1p(square) - math::log1p(square / growth));
}

std::optional<double> anytime_half_width(std::size_t n, double sd, double error) {
  if (n < 2) return std::nullopt;
  if (sd == 0) return 0;
  const auto values = static_cast<double>(n);
  const double growth = 1 + values * kEffectVariance;
  // (1 + square) / (1 + square / growth) = ratio, solved for square = t^2 / (n - 1).
  const double ratio = math::exp((math::log(growth) / 2 - math::log(error)) * 2 / values);
  if (ratio >= growth) return std::nullopt;
  const double square = (ratio - 1) / (1 - ratio / growth);
  return std::sqrt(square * (values - 1) / values) * sd;
}

std::optional<Interval> anytime_interval(const Statistics& s, double error) {
  const auto half = anytime_half_width(s.n, s.sd, error);
  if (!half) return std::nullopt;
  return Interval{s.mean - *half, s.mean + *half};
}

std::optional<std::size_t> anytime_values_for(double sd, double distance, double error) {
  return least_number([&](std::size_t n) {
    const auto half = anytime_half_width(n, sd, error);
    return half && *half < distance;
  });
}

}  // namespace posse
