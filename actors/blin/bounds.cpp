// SPDX-License-Identifier: Apache-2.0
#include "actors/blin/bounds.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/base/check.hpp"
#include "core/base/math.hpp"
#include "core/theory/integers.hpp"

namespace posse::theory {

double blin_edge(std::uint32_t batch) { return std::ldexp(1.0, 1 - static_cast<int>(batch)); }

std::uint64_t blin_pulls(const BlinParameters& p, std::uint32_t batch) {
  const double radius = p.lipschitz * blin_edge(batch);
  const std::uint64_t pulls =
      ceil_to_count(16 * math::log(static_cast<double>(p.horizon)) / (radius * radius));
  return (pulls - 1) / p.sharing + 1;
}

double blin_threshold(const BlinParameters& p, std::uint32_t batch) {
  return 4 * p.lipschitz * blin_edge(batch);
}

std::uint32_t blin_batches_ceiling(const BlinParameters& p) {
  POSSE_CHECK(p.dimension < 62, "{} dimensions", p.dimension);
  std::uint64_t left = p.horizon;
  std::uint64_t cubes = 1;
  for (std::uint32_t batch = 1;; ++batch) {
    const std::uint64_t pulls = blin_pulls(p, batch);
    if (pulls > left / cubes) return batch - 1;
    left -= pulls * cubes;
    cubes = std::uint64_t{1} << p.dimension;
  }
}

double blin_certificate(const BlinParameters& p, std::span<const BlinBatch> batches) {
  double regret = 0;
  for (const auto& b : batches) {
    const double each = b.batch == 1 ? 1 : std::min(1.0, 8 * p.lipschitz * blin_edge(b.batch - 1));
    regret += each * static_cast<double>(b.pulls_per_client);
  }
  return regret;
}

double steepest_slope(const Problem& problem, std::uint32_t points) {
  POSSE_CHECK(points >= 2);
  const Box& box = problem.domain();
  const double step = 1.0 / (points - 1);
  double steepest = 0;
  for (std::size_t j = 0; j < box.dimension(); ++j) {
    std::vector<double> x = problem.mean_maximum().point;
    double before = 0;
    for (std::uint32_t i = 0; i < points; ++i) {
      x[j] = i + 1 == points ? box.high[j] : box.low[j] + i * step * box.width(j);
      const double value = problem.mean(x);
      if (i > 0) steepest = std::max(steepest, std::abs(value - before) / step);
      before = value;
    }
  }
  return steepest;
}

}  // namespace posse::theory
