// SPDX-License-Identifier: Apache-2.0
#include "core/objective/rastrigin.hpp"

#include <algorithm>
#include <numbers>

#include "core/base/math.hpp"

namespace posse {
namespace {

constexpr double kRange = 20.251272990990113;  // C

}  // namespace

double Rastrigin::value(std::span<const double> x) const {
  double sum = 0;
  for (const double xj : x) sum += xj * xj + 10 - 10 * math::cos(2 * std::numbers::pi * xj);
  return 1 - sum / (kRange * static_cast<double>(x.size()));
}

std::optional<double> Rastrigin::maximum() const { return 1.0; }

std::vector<std::vector<double>> Rastrigin::maximisers() const {
  return {std::vector<double>(domain_.dimension(), 0.0)};
}

bool Rastrigin::upper_model(std::span<const double> centre,
                            std::span<const double> half_width,
                            UpperModel& model) const {
  constexpr double kPi = std::numbers::pi;
  const double scale = 1 / (kRange * static_cast<double>(centre.size()));
  model.at_centre = model.value = value(centre);
  for (std::size_t j = 0; j < centre.size(); ++j) {
    const double r = half_width[j];
    if (r == 0) {
      model.gradient[j] = model.curvature[j] = 0;
      continue;
    }
    const double angle = 2 * kPi * centre[j];
    model.gradient[j] = -scale * (2 * centre[j] + 20 * kPi * math::sin(angle));
    const double change = 80 * kPi * kPi * kPi * r;  // of the second derivative in the box
    model.curvature[j] = -scale * (2 + 40 * kPi * kPi * math::cos(angle) - change);
  }
  model.peak.clear();
  model.limit(1, half_width);
  return true;
}

}  // namespace posse
