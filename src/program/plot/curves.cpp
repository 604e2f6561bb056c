// SPDX-License-Identifier: Apache-2.0
#include "program/plot/curves.hpp"

#include <algorithm>

#include "core/base/check.hpp"
#include "program/base/statistics.hpp"

namespace posse {
namespace {

/// Of points with the same x only the last one.
Curve tidied(const Curve& curve) {
  Curve out;
  for (const auto& point : curve) {
    if (!out.empty() && out.back().x == point.x)
      out.back() = point;
    else
      out.push_back(point);
  }
  return out;
}

std::vector<double> thinned(const std::vector<double>& all, std::size_t most) {
  if (all.size() <= most || most < 2) return all;
  std::vector<double> kept;
  for (std::size_t i = 0; i < most; ++i) kept.push_back(all[i * (all.size() - 1) / (most - 1)]);
  return kept;
}

}  // namespace

double value_at(const Curve& curve, Between between, double x) {
  const auto after = std::upper_bound(
      curve.begin(), curve.end(), x, [](double at, const XY& point) { return at < point.x; });
  POSSE_CHECK(after != curve.begin(), "{} lies before the curve", x);
  const XY& left = *(after - 1);
  if (between == Between::hold || left.x == x) return left.y;
  if (between == Between::line_then_hold && after == curve.end()) return left.y;
  POSSE_CHECK(after != curve.end(), "{} lies after the curve", x);
  return left.y + (after->y - left.y) * ((x - left.x) / (after->x - left.x));
}

std::vector<MeanPoint> mean_curve(const std::vector<Curve>& curves,
                                  Between between,
                                  Band band,
                                  std::size_t most_points) {
  std::vector<Curve> used;
  for (const auto& curve : curves)
    if (!curve.empty()) used.push_back(tidied(curve));
  if (used.empty()) return {};
  double first = used.front().front().x, last = used.front().back().x;
  std::vector<double> grid;
  for (const auto& curve : used) {
    first = std::max(first, curve.front().x);
    last =
        between == Between::line ? std::min(last, curve.back().x) : std::max(last, curve.back().x);
    for (const auto& point : curve) grid.push_back(point.x);
  }
  std::sort(grid.begin(), grid.end());
  grid.erase(std::unique(grid.begin(), grid.end()), grid.end());
  std::erase_if(grid, [&](double x) { return x < first || x > last; });

  std::vector<MeanPoint> out;
  std::vector<double> values(used.size());
  for (const double x : thinned(grid, most_points)) {
    for (std::size_t i = 0; i < used.size(); ++i) values[i] = value_at(used[i], between, x);
    const auto s = statistics(values);
    out.push_back({x, s.mean, half_width(s, band)});
  }
  return out;
}

}  // namespace posse
