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

std::optional<double> Garland::upper_bound(std::span<const double> centre,
                                           std::span<const double> half_width) const {
  const double r = half_width[0];
  return std::min(*maximum(), value(centre) + 4 * r + 0.25 * std::sqrt(60 * r));
}

std::vector<std::vector<double>> Garland::candidate_maximisers() const {
  std::vector<std::vector<double>> cusps;
  for (int j = 1; j <= 19; ++j) cusps.push_back({j * kPi / 60});
  return cusps;
}

}  // namespace posse
