// SPDX-License-Identifier: Apache-2.0
#include "core/objective/himmelblau.hpp"

#include <algorithm>

namespace posse {

double Himmelblau::value(std::span<const double> x) const {
  const double first = x[0] * x[0] + x[1] - 11;
  const double second = x[0] + x[1] * x[1] - 7;
  return 1 - (first * first + second * second) / 890;
}

std::optional<double> Himmelblau::maximum() const { return 1.0; }

std::vector<std::vector<double>> Himmelblau::maximisers() const {
  return {{3, 2},
          {-2.805118086952744853, 3.131312518250572966},
          {-3.779310253377746892, -3.283185991286169412},
          {3.584428340330491745, -1.848126526964403554}};
}

bool Himmelblau::upper_model(std::span<const double> centre,
                             std::span<const double> half_width,
                             UpperModel& model) const {
  const double x = centre[0];
  const double y = centre[1];
  const double first = x * x + y - 11;
  const double second = x + y * y - 7;
  model.at_centre = model.value = value(centre);
  model.gradient[0] = -(4 * x * first + 2 * second) / 890;
  model.gradient[1] = -(4 * y * second + 2 * first) / 890;
  // -f_xx = (12 x^2 + 4 y - 42) / 890, -f_yy = (12 y^2 + 4 x - 26) / 890, f_xy = -4 (x + y) / 890
  const double least_x = std::max(0.0, std::abs(x) - half_width[0]);
  const double least_y = std::max(0.0, std::abs(y) - half_width[1]);
  const double mixed = 4 * (std::abs(x + y) + half_width[0] + half_width[1]);
  model.curvature[0] = (42 - 12 * least_x * least_x - 4 * (y - half_width[1]) + mixed) / 890;
  model.curvature[1] = (26 - 12 * least_y * least_y - 4 * (x - half_width[0]) + mixed) / 890;
  model.peak.clear();
  model.limit(1, half_width);
  return true;
}

}  // namespace posse
