// SPDX-License-Identifier: Apache-2.0
#include "core/function/plane_minimum.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/check.hpp"
#include "core/base/module.hpp"
#include "core/function/clp_module.hpp"

namespace posse {
namespace {

/// The point and its certificate, from a solved problem.
PlaneMinimum certified(const ClpModule::Minimum& solved,
                       const PiecewiseLinear::Matrix& slopes,
                       const Vector& offsets,
                       double low,
                       double high) {
  PlaneMinimum found;
  found.point =
      Eigen::Map<const Vector>(solved.point.data(), slopes.cols()).cwiseMax(low).cwiseMin(high);
  found.value = (slopes * found.point + offsets).maxCoeff();
  Vector multipliers = (-Eigen::Map<const Vector>(solved.prices.data(), slopes.rows())).cwiseMax(0);
  multipliers /= multipliers.sum();
  const Vector slope = slopes.transpose() * multipliers;
  const double bound = multipliers.dot(offsets) + (slope * low).cwiseMin(slope * high).sum();
  found.gap = found.value - bound;
  return found;
}

}  // namespace

PlaneMinimum minimise_planes(const PiecewiseLinear::Matrix& slopes,
                             const Vector& offsets,
                             double low,
                             double high) {
  POSSE_CHECK(slopes.rows() > 0 && slopes.rows() == offsets.size() && low < high,
              "{} planes, {} offsets, box [{}, {}]",
              slopes.rows(),
              offsets.size(),
              low,
              high);
  POSSE_CHECK(slopes.allFinite() && offsets.allFinite(), "a plane is not finite");
  const double size = 1 + slopes.cwiseAbs().maxCoeff() * std::max(std::abs(low), std::abs(high)) +
                      offsets.cwiseAbs().maxCoeff();
  const auto solved =
      module<ClpModule>().minimise({slopes.data(), static_cast<std::size_t>(slopes.size())},
                                   {offsets.data(), static_cast<std::size_t>(offsets.size())},
                                   low,
                                   high);
  PlaneMinimum found = certified(solved, slopes, offsets, low, high);
  POSSE_CHECK(found.gap <= 1e-8 * size, "the minimum is {} above its lower bound", found.gap);
  return found;
}

}  // namespace posse
