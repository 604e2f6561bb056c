// SPDX-License-Identifier: Apache-2.0
#include "program/plot/curves.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/base/check.hpp"
#include "program/base/statistics.hpp"

namespace posse {
namespace {

/// Of points with the same x only the last one; in order, also of a damaged file.
Curve tidied(Curve curve) {
  if (!std::ranges::is_sorted(curve, {}, &XY::x)) std::ranges::stable_sort(curve, {}, &XY::x);
  Curve out;
  for (const auto& point : curve) {
    if (!out.empty() && out.back().x == point.x)
      out.back() = point;
    else
      out.push_back(point);
  }
  return out;
}

/// The x's of all curves, each once, in order. Curves often share most of them: they are merged by
/// pairs, so that what is equal is soon one.
std::vector<double> all_x(const std::vector<Curve>& curves) {
  std::vector<std::vector<double>> left;
  for (const auto& curve : curves) {
    auto& x = left.emplace_back();
    for (const auto& point : curve) x.push_back(point.x);
  }
  while (left.size() > 1) {
    std::vector<std::vector<double>> merged;
    for (std::size_t i = 0; i + 1 < left.size(); i += 2) {
      auto& both = merged.emplace_back();
      std::ranges::set_union(left[i], left[i + 1], std::back_inserter(both));
    }
    if (left.size() % 2 == 1) merged.push_back(std::move(left.back()));
    left = std::move(merged);
  }
  return left.front();
}

std::vector<double> thinned(const std::vector<double>& all, std::size_t most) {
  if (all.size() <= most || most < 2) return all;
  std::vector<double> kept;
  for (std::size_t i = 0; i < most; ++i) kept.push_back(all[i * (all.size() - 1) / (most - 1)]);
  return kept;
}

/// The value at x of a curve whose last point that is not after x is the one at `at`.
double value_after(const Curve& curve, std::size_t at, Between between, double x) {
  const XY& left = curve[at];
  if (between == Between::hold || left.x == x) return left.y;
  const bool over = at + 1 == curve.size();
  if (between == Between::line_then_hold && over) return left.y;
  POSSE_CHECK(!over, "{} lies after the curve", x);
  const XY& right = curve[at + 1];
  return left.y + (right.y - left.y) * ((x - left.x) / (right.x - left.x));
}

}  // namespace

double value_at(const Curve& curve, Between between, double x) {
  const auto after = std::upper_bound(
      curve.begin(), curve.end(), x, [](double at, const XY& point) { return at < point.x; });
  POSSE_CHECK(after != curve.begin(), "{} lies before the curve", x);
  return value_after(curve, static_cast<std::size_t>(after - curve.begin()) - 1, between, x);
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
  for (const auto& curve : used) {
    first = std::max(first, curve.front().x);
    last =
        between == Between::line ? std::min(last, curve.back().x) : std::max(last, curve.back().x);
  }
  auto grid = all_x(used);
  std::erase_if(grid, [&](double x) { return x < first || x > last; });

  std::vector<MeanPoint> out;
  std::vector<double> values(used.size());
  std::vector<std::size_t> at(used.size());  // the last point of each curve that is not after x
  for (const double x : thinned(grid, most_points)) {
    for (std::size_t i = 0; i < used.size(); ++i) {
      while (at[i] + 1 < used[i].size() && used[i][at[i] + 1].x <= x) ++at[i];
      values[i] = value_after(used[i], at[i], between, x);
    }
    const auto s = statistics(values);
    out.push_back({x, s.mean, half_width(s, band)});
  }
  return out;
}

}  // namespace posse
