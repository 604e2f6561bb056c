// SPDX-License-Identifier: Apache-2.0
#include "core/objective/garland.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/base/math.hpp"

namespace posse {
namespace {

constexpr double kPi = std::numbers::pi;

}  // namespace

double Garland::value(std::span<const double> x) const {
  return x[0] * (1 - x[0]) * (4 - std::sqrt(std::abs(math::sin(60 * x[0]))));
}

std::optional<double> Garland::maximum() const { return 2 * kPi / 3 * (1 - kPi / 6); }

std::vector<std::vector<double>> Garland::maximisers() const { return {{kPi / 6}}; }

bool Garland::upper_model(std::span<const double> centre,
                          std::span<const double> half_width,
                          UpperModel& model) const {
  const double x = centre[0];
  const double r = half_width[0];
  const double p = x * (1 - x);
  // f <= 4 p, with equality at the cusps; outside [0, 1], f <= 4 p + |p| sqrt|sin 60 x|.
  const double cusp = std::round(60 * x / kPi) * kPi / 60;
  const double distance = std::abs(x - cusp);
  model.at_centre = distance <= UpperModel::kAtPeak ? 4 * p : value(centre);
  const double lowest = std::min((x - r) * (1 - x + r), (x + r) * (1 - x - r));
  model.value = 4 * p + std::max(0.0, -lowest) * std::sqrt(std::min(1.0, 60 * (distance + r)));
  model.gradient[0] = 4 * (1 - 2 * x);
  model.curvature[0] = -8;
  model.peak.clear();
  if (distance <= r + UpperModel::kAtPeak) {
    model.peak.push_back(cusp);
    return true;
  }
  // Between cusps, f = p (4 - q), q = sqrt|sin 60 x|, is of second order. With s <= |sin 60 x| in
  // the box: q <= 1, |q'| <= 30 / sqrt s, 0 <= -q'' <= 900 (1 + s^2) / s^(3/2).
  const double envelope = model.largest(half_width);
  const double angle = 60 * (distance - r);
  const double s = angle * (1 - angle * angle / 6);  // <= sin(angle), angle <= pi / 2
  const double root = std::sqrt(s);
  const double sine = math::sin(60 * x);
  const double q = std::sqrt(std::abs(sine));
  const double slope_of_q = 30 * math::cos(60 * x) / (sine < 0 ? -q : q);
  const double steepest = std::abs(1 - 2 * x) + 2 * r;
  const double highest = std::clamp(p + std::abs(1 - 2 * x) * r, 0.0, 0.25);
  model.value = model.at_centre;
  model.gradient[0] = (1 - 2 * x) * (4 - q) - p * slope_of_q;
  model.curvature[0] = -6 + 60 * steepest / root + 900 * highest * (1 + s * s) / (s * root);
  model.limit(envelope, half_width);
  return true;
}

std::vector<std::vector<double>> Garland::candidate_maximisers() const {
  std::vector<std::vector<double>> cusps;
  for (int j = 1; j <= 19; ++j) cusps.push_back({j * kPi / 60});
  return cusps;
}

}  // namespace posse
