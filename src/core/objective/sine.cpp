// SPDX-License-Identifier: Apache-2.0
#include "core/objective/sine.hpp"

#include <algorithm>

#include "core/base/math.hpp"

namespace posse {

double Sine::value(std::span<const double> x) const {
  return 0.5 * (amplitude_ * (math::sin(13 * x[0]) * math::sin(27 * x[0])) + 1);
}

std::optional<double> Sine::maximum() const {
  // sin(13x) sin(27x) at the maximiser, from the classical form's 40-digit maximum.
  constexpr double kProduct = 2 * 0.975599143811574781 - 1;
  return 0.5 * (amplitude_ * kProduct + 1);
}

std::vector<std::vector<double>> Sine::maximisers() const { return {{0.867526208251331985}}; }

bool Sine::upper_model(std::span<const double> centre,
                       std::span<const double> half_width,
                       UpperModel& model) const {
  // sin 13x sin 27x = (cos 14x - cos 40x) / 2
  const double x = centre[0];
  const double r = half_width[0];
  const double scale = amplitude_ / 4;
  const double third = scale * (14 * 14 * 14 + 40 * 40 * 40);  // bounds |f'''|
  model.at_centre = model.value = value(centre);
  model.gradient[0] = scale * (40 * math::sin(40 * x) - 14 * math::sin(14 * x));
  model.curvature[0] = scale * (1600 * math::cos(40 * x) - 196 * math::cos(14 * x)) + third * r;
  model.peak.clear();
  model.limit(0.5 * (amplitude_ + 1), half_width);  // also outside [0, 1]
  return true;
}

}  // namespace posse
