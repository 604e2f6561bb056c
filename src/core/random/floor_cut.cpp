// SPDX-License-Identifier: Apache-2.0
#include "core/random/floor_cut.hpp"

#include <algorithm>
#include <boost/math/special_functions/gamma.hpp>

#include "core/base/math.hpp"
#include "core/base/overload.hpp"
#include "core/base/portable_double.hpp"

namespace posse {
namespace {

/// P(Z <= z) of a standard normal variate.
double normal_below(double z) { return math::erfc(-z / std::sqrt(2.0)) / 2; }
double normal_density(double z) { return math::exp(-z * z / 2) / std::sqrt(2 * 3.141592653589793); }
/// P(X <= x) of a gamma variate with scale 1.
double gamma_below(double shape, double x) {
  return boost::math::gamma_p(PortableDouble(shape), PortableDouble(x)).value();
}

FloorCut cut(double share, double mean_s, double before_s) {
  return {share, Duration::seconds(mean_s), Duration::seconds(before_s)};
}

}  // namespace

std::optional<FloorCut> cut_by_floor(const DurationDistribution& distribution) {
  using Cut = std::optional<FloorCut>;
  return std::visit(
      Overload{
          [](const NormalDuration& d) -> Cut {
            const double mean = d.mean.to_seconds(), sd = d.sd.to_seconds();
            const double floor = std::max(0.0, d.floor.to_seconds());
            if (sd == 0) return cut(mean < floor, std::max(mean, floor), mean);
            const double z = (floor - mean) / sd, below = normal_below(z);
            return cut(below, floor * below + mean * (1 - below) + sd * normal_density(z), mean);
          },
          [](const LognormalDuration& d) -> Cut {
            const double median = d.median.to_seconds(), floor = d.floor.to_seconds();
            const double mean = median * math::exp(d.sigma * d.sigma / 2);
            if (floor <= 0 || median == 0) return std::nullopt;
            const double z = math::log(floor / median) / d.sigma, below = normal_below(z);
            return cut(below, floor * below + mean * normal_below(d.sigma - z), mean);
          },
          [](const GammaDuration& d) -> Cut {
            const double mean = d.mean.to_seconds(), floor = d.floor.to_seconds();
            if (floor <= 0) return std::nullopt;
            const double x = floor * d.shape / mean, below = gamma_below(d.shape, x);
            return cut(below, floor * below + mean * (1 - gamma_below(d.shape + 1, x)), mean);
          },
          [](const auto&) -> Cut { return std::nullopt; },
      },
      distribution);
}

}  // namespace posse
