// SPDX-License-Identifier: Apache-2.0
#include "core/function/plane_minimum.hpp"

#include <ClpSimplex.hpp>
#include <algorithm>
#include <cmath>

#include "core/base/check.hpp"

namespace posse {
namespace {

/// Variables 0 … d-1 are x, d is t; row k says a_k' x - t <= -b_k.
void load(ClpSimplex& problem,
          const PiecewiseLinear::Matrix& slopes,
          const Vector& offsets,
          double low,
          double high) {
  const auto d = static_cast<int>(slopes.cols());
  problem.resize(0, d + 1);
  for (int j = 0; j < d; ++j) problem.setColumnBounds(j, low, high);
  problem.setColumnBounds(d, -COIN_DBL_MAX, COIN_DBL_MAX);
  problem.setObjectiveCoefficient(d, 1);
  const Eigen::VectorXi index = Eigen::VectorXi::LinSpaced(d + 1, 0, d);
  Vector row(d + 1);
  for (Eigen::Index k = 0; k < slopes.rows(); ++k) {
    row << slopes.row(k).transpose(), -1;
    problem.addRow(d + 1, index.data(), row.data(), -COIN_DBL_MAX, -offsets[k]);
  }
}

/// The point and its certificate, from a solved problem.
PlaneMinimum read_solution(const ClpSimplex& problem,
                           const PiecewiseLinear::Matrix& slopes,
                           const Vector& offsets,
                           double low,
                           double high) {
  PlaneMinimum found;
  const double* x = problem.getColSolution();
  found.point = Eigen::Map<const Vector>(x, slopes.cols()).cwiseMax(low).cwiseMin(high);
  found.value = (slopes * found.point + offsets).maxCoeff();
  Vector multipliers =
      (-Eigen::Map<const Vector>(problem.getRowPrice(), slopes.rows())).cwiseMax(0);
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
  ClpSimplex problem;
  problem.setLogLevel(0);
  problem.setPrimalTolerance(1e-10);
  problem.setDualTolerance(1e-10);
  load(problem, slopes, offsets, low, high);
  problem.dual();
  const PlaneMinimum found = read_solution(problem, slopes, offsets, low, high);
  POSSE_CHECK(found.gap <= 1e-8 * size, "the minimum is {} above its lower bound", found.gap);
  return found;
}

}  // namespace posse
