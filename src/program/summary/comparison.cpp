// SPDX-License-Identifier: Apache-2.0
#include "program/summary/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "core/base/check.hpp"

namespace posse {
namespace {

bool usable(const std::optional<double>& value) { return value && std::isfinite(*value); }

/// The repetitions in which each of these algorithms has a value.
std::vector<std::size_t> common_repetitions(const Measured& measured,
                                            const std::vector<std::size_t>& algorithms) {
  std::size_t most = 0;
  for (const auto a : algorithms) most = std::max(most, measured.values[a].size());
  std::vector<std::size_t> common;
  for (std::size_t r = 0; r < most; ++r)
    if (std::all_of(algorithms.begin(), algorithms.end(), [&](std::size_t a) {
          return r < measured.values[a].size() && usable(measured.values[a][r]);
        }))
      common.push_back(r);
  return common;
}

}  // namespace

Sign Difference::sign() const {
  if (!interval) return Sign::unclear;
  if (interval->low > 0) return Sign::positive;
  if (interval->high < 0) return Sign::negative;
  return interval->low == interval->high ? Sign::none : Sign::unclear;
}

Difference paired_difference(const std::vector<double>& values, const std::vector<double>& others) {
  POSSE_CHECK(
      values.size() == others.size(), "pairs of {} and {} values", values.size(), others.size());
  std::vector<double> differences(values.size());
  std::transform(values.begin(), values.end(), others.begin(), differences.begin(), std::minus<>());
  Difference difference;
  difference.values = statistics(differences);
  difference.interval = interval_95(difference.values);
  return difference;
}

std::vector<double> ranks(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return values[a] < values[b];
  });
  std::vector<double> out(values.size());
  for (std::size_t first = 0; first < order.size();) {
    std::size_t end = first + 1;
    while (end < order.size() && values[order[end]] == values[order[first]]) ++end;
    // Places first + 1 … end, averaged.
    const double shared = (static_cast<double>(first) + 1 + static_cast<double>(end)) / 2;
    for (std::size_t i = first; i < end; ++i) out[order[i]] = shared;
    first = end;
  }
  return out;
}

std::optional<Comparison> compare(const Measured& measured) {
  std::vector<std::size_t> algorithms;
  for (std::size_t a = 0; a < measured.values.size(); ++a)
    if (std::any_of(measured.values[a].begin(), measured.values[a].end(), usable))
      algorithms.push_back(a);
  if (algorithms.size() < 2) return std::nullopt;
  const auto repetitions = common_repetitions(measured, algorithms);
  if (repetitions.empty()) return std::nullopt;

  std::vector<std::vector<double>> values;  // [algorithm used][repetition used]
  for (const auto a : algorithms) {
    auto& own = values.emplace_back();
    for (const auto r : repetitions) own.push_back(*measured.values[a][r]);
  }
  Comparison comparison;
  comparison.name = measured.name;
  comparison.unit = measured.unit;
  comparison.evaluations = measured.evaluations;
  comparison.ranked = measured.ranked;
  comparison.repetitions = repetitions.size();
  comparison.reference = algorithms.front();
  std::size_t best = 0;
  for (std::size_t i = 0; i < algorithms.size(); ++i) {
    Standing standing;
    standing.algorithm = algorithms[i];
    standing.measured = statistics(values[i]);
    standing.mean_rank = 0;
    comparison.standings.push_back(standing);
    if (comparison.standings[i].measured.mean < comparison.standings[best].measured.mean) best = i;
  }
  comparison.best = algorithms[best];
  for (std::size_t i = 0; i < algorithms.size(); ++i) {
    comparison.standings[i].to_best = paired_difference(values[i], values[best]);
    comparison.standings[i].to_reference = paired_difference(values[i], values.front());
  }
  std::vector<double> together(algorithms.size());
  for (std::size_t r = 0; r < repetitions.size(); ++r) {
    for (std::size_t i = 0; i < algorithms.size(); ++i) together[i] = values[i][r];
    const auto places = ranks(together);
    for (std::size_t i = 0; i < algorithms.size(); ++i)
      comparison.standings[i].mean_rank += places[i];
  }
  for (auto& standing : comparison.standings)
    standing.mean_rank /= static_cast<double>(repetitions.size());
  return comparison;
}

}  // namespace posse
