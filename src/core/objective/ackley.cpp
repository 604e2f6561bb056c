// SPDX-License-Identifier: Apache-2.0
#include "core/objective/ackley.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/base/math.hpp"

namespace posse {

double Ackley::value(std::span<const double> x) const {
  constexpr double kPi = std::numbers::pi;
  const double cone = 20 * math::exp(-0.2 * std::sqrt((x[0] * x[0] + x[1] * x[1]) / 2));
  const double waves = math::exp((math::cos(2 * kPi * x[0]) + math::cos(2 * kPi * x[1])) / 2);
  return 1 + (cone + waves - std::numbers::e - 20) / range_;
}

std::optional<double> Ackley::maximum() const { return 1.0; }

std::vector<std::vector<double>> Ackley::maximisers() const { return {{0, 0}}; }

bool Ackley::upper_model(std::span<const double> centre,
                         std::span<const double> half_width,
                         UpperModel& model) const {
  // The cone: its second derivative is at most 0.4 along any line, also across the apex, where the
  // slope falls. The waves W: |W_xxx| <= 398.7, |W_xxy| <= 114.5.
  constexpr double kPi = std::numbers::pi;
  constexpr double kConeCurvature = 0.4;
  constexpr double kThird = 398.7;
  constexpr double kMixedThird = 114.5;
  const double norm = std::sqrt((centre[0] * centre[0] + centre[1] * centre[1]) / 2);
  const double cone = 20 * math::exp(-0.2 * norm);
  const double sine[2] = {math::sin(2 * kPi * centre[0]), math::sin(2 * kPi * centre[1])};
  const double cosine[2] = {math::cos(2 * kPi * centre[0]), math::cos(2 * kPi * centre[1])};
  const double waves = math::exp((cosine[0] + cosine[1]) / 2);
  model.at_centre = model.value = value(centre);
  const double mixed = kPi * kPi * waves * std::abs(sine[0] * sine[1]) +
                       kMixedThird * (half_width[0] + half_width[1]);
  for (const std::size_t j : {0, 1}) {
    const double on_cone = norm > 0 ? -0.1 * cone * centre[j] / norm : 0;
    model.gradient[j] = (on_cone - kPi * sine[j] * waves) / range_;
    const double own = kPi * kPi * waves * (sine[j] * sine[j] - 2 * cosine[j]) +
                       kThird * half_width[j] + kMixedThird * half_width[1 - j];
    model.curvature[j] = (kConeCurvature + own + mixed) / range_;
  }
  model.peak.clear();
  if (std::abs(centre[0]) <= half_width[0] && std::abs(centre[1]) <= half_width[1])
    model.peak.assign(2, 0.0);
  model.limit(1, half_width);
  return true;
}

}  // namespace posse
