// SPDX-License-Identifier: Apache-2.0
#include "program/plot/settling.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/base/check.hpp"
#include "core/random/stream.hpp"

namespace posse {

Settling::Settling(const std::vector<Curve>& curves) {
  double first = -std::numeric_limits<double>::infinity();
  for (const auto& curve : curves) {
    if (curve.empty()) continue;
    first = std::max(first, curve.front().x);
    for (const auto& point : curve) grid_.push_back(point.x);
  }
  POSSE_CHECK(!grid_.empty(), "no curve has points");
  std::sort(grid_.begin(), grid_.end());
  grid_.erase(std::unique(grid_.begin(), grid_.end()), grid_.end());
  std::erase_if(grid_, [&](double x) { return x < first; });
  for (const auto& curve : curves) {
    if (curve.empty()) continue;
    auto& row = values_.emplace_back();
    for (const double x : grid_) row.push_back(value_at(curve, Between::hold, x));
  }
}

template <class Use>
void Settling::each_resample(const Use& use) const {
  const std::size_t n = values_.size();
  UniformStream draws(stream_key(Seed{0}, "bootstrap", "repetitions"));
  std::vector<std::size_t> drawn(n);
  for (std::size_t resample = 0; resample < kResamples; ++resample) {
    for (std::size_t i = 0; i < n; ++i) {
      const double u = draws.at(resample * n + i);
      drawn[i] = std::min(n - 1, static_cast<std::size_t>(u * static_cast<double>(n)));
    }
    use([&](std::size_t i) { return drawn[i]; });
  }
}

template <class RepetitionAt>
double Settling::mean_at(std::size_t point, const RepetitionAt& repetition_at) const {
  double sum = 0;
  for (std::size_t i = 0; i < values_.size(); ++i) sum += values_[repetition_at(i)][point];
  return sum / static_cast<double>(values_.size());
}

template <class RepetitionAt>
std::optional<double> Settling::time_of(double level, const RepetitionAt& repetition_at) const {
  std::size_t settled = grid_.size();  // the first point from which on it is at or below
  while (settled > 0 && mean_at(settled - 1, repetition_at) <= level) --settled;
  return settled < grid_.size() ? std::optional(grid_[settled]) : std::nullopt;
}

double Settling::least_level() const {
  const std::size_t end = grid_.size() - 1;
  if (values_.size() == 1) return values_.front()[end];
  std::vector<double> means;
  means.reserve(kResamples);
  each_resample([&](const auto& repetition_at) { means.push_back(mean_at(end, repetition_at)); });
  return percentile_interval_95(std::move(means))->high;
}

std::optional<double> Settling::time(double level) const {
  return time_of(level, [](std::size_t i) { return i; });
}

std::vector<double> Settling::resampled(double level) const {
  std::vector<double> times;
  if (values_.size() < 2) return times;
  times.reserve(kResamples);
  each_resample([&](const auto& repetition_at) {
    times.push_back(
        time_of(level, repetition_at).value_or(std::numeric_limits<double>::infinity()));
  });
  return times;
}

std::optional<Interval> percentile_interval_95(std::vector<double> resampled) {
  // A ratio of two times that are both infinite is not a number.
  if (resampled.empty() ||
      std::any_of(resampled.begin(), resampled.end(), [](double x) { return std::isnan(x); }))
    return std::nullopt;
  std::sort(resampled.begin(), resampled.end());
  const auto size = static_cast<double>(resampled.size());
  const auto at = [&](double share) {
    return resampled[static_cast<std::size_t>(std::ceil(share * size)) - 1];
  };
  const Interval interval{at(0.025), at(0.975)};
  if (!std::isfinite(interval.low) || !std::isfinite(interval.high)) return std::nullopt;
  return interval;
}

}  // namespace posse
