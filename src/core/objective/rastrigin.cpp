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

std::optional<double> Rastrigin::upper_bound(std::span<const double> centre,
                                             std::span<const double> half_width) const {
  double sum = 0;
  for (const double r : half_width) sum += r;
  const double slope = 64.84 / (kRange * static_cast<double>(centre.size()));
  return std::min(1.0, value(centre) + slope * sum);
}

}  // namespace posse
