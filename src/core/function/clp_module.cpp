// SPDX-License-Identifier: Apache-2.0
#include "core/function/clp_module.hpp"

#include <ClpSimplex.hpp>
#include <algorithm>
#include <numeric>

#include "core/base/module.hpp"

namespace posse {
namespace {

/// Variables 0 … d-1 are x, d is t; row k says a_k' x - t <= -b_k.
ClpModule::Minimum minimise(std::span<const double> slopes,
                            std::span<const double> offsets,
                            double low,
                            double high) {
  const std::size_t dimension = slopes.size() / offsets.size();
  const auto d = static_cast<int>(dimension);
  ClpSimplex problem;
  problem.setLogLevel(0);
  problem.setPrimalTolerance(1e-10);
  problem.setDualTolerance(1e-10);
  problem.resize(0, d + 1);
  for (int j = 0; j < d; ++j) problem.setColumnBounds(j, low, high);
  problem.setColumnBounds(d, -COIN_DBL_MAX, COIN_DBL_MAX);
  problem.setObjectiveCoefficient(d, 1);
  std::vector<int> index(dimension + 1);
  std::iota(index.begin(), index.end(), 0);
  std::vector<double> row(dimension + 1, -1);
  for (std::size_t k = 0; k < offsets.size(); ++k) {
    std::copy_n(
        slopes.begin() + static_cast<std::ptrdiff_t>(k * dimension), dimension, row.begin());
    problem.addRow(d + 1, index.data(), row.data(), -COIN_DBL_MAX, -offsets[k]);
  }
  problem.dual();
  const double* x = problem.getColSolution();
  const double* prices = problem.getRowPrice();
  return {{x, x + dimension}, {prices, prices + offsets.size()}};
}

}  // namespace
}  // namespace posse

POSSE_MODULE(posse::ClpModule){posse::minimise};
