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

std::optional<double> Sine::upper_bound(std::span<const double> centre,
                                        std::span<const double> half_width) const {
  return std::min(*maximum(), value(centre) + 13.5 * amplitude_ * half_width[0]);
}

}  // namespace posse
