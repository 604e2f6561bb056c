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

std::optional<double> Ackley::upper_bound(std::span<const double> centre,
                                          std::span<const double> half_width) const {
  // 2 is the gradient's bound for C; it scales with 1 / range.
  const double slope = 2 * kRange / range_;
  return std::min(1.0, value(centre) + slope * math::hypot(half_width[0], half_width[1]));
}

}  // namespace posse
