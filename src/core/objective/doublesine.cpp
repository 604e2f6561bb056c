// SPDX-License-Identifier: Apache-2.0
#include "core/objective/doublesine.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/base/math.hpp"

namespace posse {
namespace {

constexpr double kA = 0.321928094887362348;  // -log2 0.8
constexpr double kB = 1.736965594166206166;  // -log2 0.3

}  // namespace

double DoubleSine::value(std::span<const double> x) const {
  const double u = 2 * std::abs(x[0] - 0.5);
  if (u == 0) return 1;
  const double log_u = math::log2(u);
  const double upper = math::exp2(kA * log_u);                       // u^a
  const double lower = math::exp2(kB * log_u);                       // u^b
  const double s = 0.5 * (1 + math::sin(std::numbers::pi * log_u));  // 2 pi z, z = log2(u)/2
  return 1 + s * (upper - lower) - upper;
}

std::optional<double> DoubleSine::maximum() const { return 1.0; }

std::vector<std::vector<double>> DoubleSine::maximisers() const { return {{0.5}}; }

bool DoubleSine::upper_model(std::span<const double> centre,
                             std::span<const double> half_width,
                             UpperModel& model) const {
  // A and B, the largest values over the phase pi log2 u.
  constexpr double kCurveA = 10.5207636;
  constexpr double kCurveB = 10.5039949;
  const double distance = std::abs(centre[0] - 0.5);
  const double r = half_width[0];
  model.at_centre = distance <= UpperModel::kAtPeak ? 1 : value(centre);
  model.peak.clear();
  if (distance <= r + UpperModel::kAtPeak) {
    model.set_constant(1);
    model.peak.push_back(0.5);
    return true;
  }
  const double u = 2 * distance;
  const double log_u = math::log2(u);
  const double upper = math::exp2(kA * log_u);
  const double lower = math::exp2(kB * log_u);
  const double sine = math::sin(std::numbers::pi * log_u);
  const double cosine = math::cos(std::numbers::pi * log_u);
  constexpr double kOmega = std::numbers::pi / std::numbers::ln2;
  const double slope_in_u =
      0.5 / u *
      (kOmega * cosine * (upper - lower) + kA * upper * (sine - 1) - kB * lower * (sine + 1));
  const double nearest = 2 * (distance - r);
  const double log_nearest = math::log2(nearest);
  const double lower_nearest = math::exp2(kB * log_nearest);
  model.value = model.at_centre;
  model.gradient[0] = centre[0] > 0.5 ? 2 * slope_in_u : -2 * slope_in_u;
  model.curvature[0] =
      4 * (kCurveA * math::exp2(kA * log_nearest) + kCurveB * lower_nearest) / (nearest * nearest);
  // f <= 1 - min(u^a, u^b)
  model.limit(nearest < 1 ? 1 - lower_nearest : 0, half_width);
  return true;
}

}  // namespace posse
