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

std::optional<double> DoubleSine::upper_bound(std::span<const double> centre,
                                              std::span<const double> half_width) const {
  const double distance = std::abs(centre[0] - 0.5);
  const double r = half_width[0];
  if (distance <= r) return 1.0;
  const double nearest = 2 * (distance - r);
  const double farthest = 2 * (distance + r);
  const double slope = 2.59 * math::pow(nearest, -0.678) + 4.01 * math::pow(farthest, 0.737);
  return std::min(1.0, value(centre) + 2 * r * slope);
}

}  // namespace posse
