// SPDX-License-Identifier: Apache-2.0
// When a mean over repetitions settles at or below a level: from then on it stays there.
//
// The first time at or below the level would reward luck: a recommendation may be good early on, by
// chance, and be given up again. How much the time depends on the repetitions is told by the
// bootstrap: the repetitions are drawn anew, with replacement, kResamples times (Efron and
// Tibshirani 1993, section 13.3: percentile intervals). Draws come from a stream of their own, the
// same for equally many repetitions, so that resamples of two settings are paired.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "program/base/statistics.hpp"
#include "program/plot/curves.hpp"

namespace posse {

inline constexpr std::size_t kResamples = 1000;

class Settling {
 public:
  /// Curves of repetitions, which hold their values (Between::hold). At least one is not empty.
  explicit Settling(const std::vector<Curve>& curves);

  std::size_t repetitions() const { return values_.size(); }
  /// The least level that is reached for good: the mean at the end, or, with several repetitions,
  /// the 97.5 % quantile of the resamples' means, so that an interval of `resampled` is finite.
  double least_level() const;
  /// When the mean is at or below the level for good; nothing if it ends above.
  std::optional<double> time(double level) const;
  /// time(level) of each resample, +infinity where it ends above. Empty with one repetition. Cost:
  /// O(kResamples times repetitions times points).
  std::vector<double> resampled(double level) const;

 private:
  /// Calls use(repetition_at) for each resample, where repetition_at(i) is its i-th repetition.
  template <class Use>
  void each_resample(const Use& use) const;
  template <class RepetitionAt>
  double mean_at(std::size_t point, const RepetitionAt& repetition_at) const;
  template <class RepetitionAt>
  std::optional<double> time_of(double level, const RepetitionAt& repetition_at) const;

  std::vector<double> grid_;                 // all points of all curves, ascending
  std::vector<std::vector<double>> values_;  // [repetition][point of the grid]
};

/// From the 2.5 % to the 97.5 % quantile; nothing if there are no values or the interval is not
/// finite.
std::optional<Interval> percentile_interval_95(std::vector<double> resampled);

}  // namespace posse
