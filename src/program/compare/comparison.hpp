// SPDX-License-Identifier: Apache-2.0
// Runs compared: algorithms within each setting, settings for each algorithm.
//
// In one repetition all algorithms and settings have common random numbers, so that differences
// vary less than the values. Differences are therefore taken repetition by repetition, over those
// that both have, and then averaged; means are over all repetitions with a value. Smaller is
// better, as for regrets and costs, unless the quantity is not ranked (evaluations).
//
// Intervals are at 95 %, each on its own; that of a difference to the best is slightly too narrow,
// since the best is chosen from the same data. What counts as shown is corrected for the number of
// comparisons of a measure: paired t-tests with Holm's procedure at a family-wise error of 5 %.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "program/base/quantities.hpp"
#include "program/base/statistics.hpp"
#include "program/compare/study.hpp"

namespace posse {

inline constexpr double kLevel = 0.95;

/// The sign of a difference, judged by its interval.
enum class Sign { negative, none, positive, unclear };

/// Values minus, and over, those of a reference in the same repetitions.
struct PairedEffect {
  Statistics difference;
  std::optional<Interval> interval;  // of the difference
  std::optional<Ratio> ratio;
  bool shown = false;  // not 0, after the correction
  bool equal() const { return difference.min == 0 && difference.max == 0; }
  /// unclear without an interval; none if all differences are exactly 0.
  Sign sign() const;
};

/// Two lists of values in the repetitions that both have.
struct Pairs {
  std::vector<double> b, a;
};
Pairs pairs_of(const RunValues& b, const RunValues& a);
/// `b` against `a`, without a ratio; nothing without pairs.
std::optional<PairedEffect> paired_effect(const Pairs& pairs);

/// Ranks from 1, smallest first; ties share the average of their ranks.
std::vector<double> ranks(const std::vector<double>& values);
/// Keeps the repetitions that all lists with values have; lists without values stay empty.
std::vector<RunValues> in_common(std::vector<RunValues> lists);
/// Ranks in each repetition of lists from in_common: [list][repetition].
std::vector<std::vector<double>> ranks_by_repetition(const std::vector<RunValues>& lists);

struct MeasuredCell {
  Statistics values;
  std::optional<PairedEffect> to_first_algorithm;  // in the same setting
  std::optional<PairedEffect> to_first_setting;    // of the same algorithm
  std::optional<PairedEffect> to_best;             // in the same setting, 0 of itself; if ranked
  std::optional<double> mean_rank;                 // in common comparisons, if ranked
};

/// One measure over the whole study.
struct MeasureComparison {
  std::size_t quantity = 0;
  std::vector<std::vector<std::optional<MeasuredCell>>> cells;  // [setting][algorithm]
  std::vector<std::optional<std::size_t>> best;  // the best mean in each setting, the first of
                                                 // equals; if ranked
  std::size_t comparisons = 0;                   // the correction is for
};

/// Algorithms of one setting in the repetitions that all of them have: their means refer to the
/// same repetitions, so that differences of means are means of differences.
struct CommonComparison {
  std::vector<std::size_t> algorithms;       // those with a value in some repetition
  std::optional<std::uint64_t> evaluations;  // per client, at a checkpoint; none: at the end
  MeasureComparison measure;                 // of one setting and these algorithms; without ratios
};
/// `values` by algorithm. Nothing unless several algorithms have values, and a repetition in
/// common.
std::optional<CommonComparison> compare_in_common(std::size_t quantity,
                                                  std::optional<std::uint64_t> evaluations,
                                                  const std::vector<RunValues>& values);

/// The algorithm with the best mean in a setting, and the next one.
struct Winner {
  std::size_t algorithm = 0, runner_up = 0;
  PairedEffect lead;   // the runner-up's values against the winner's
  bool clear = false;  // the winner is shown to be better than every other algorithm
};

struct StudyComparison {
  std::vector<MeasureComparison> measures;  // those that some run has
  bool work_differs = false;                // evaluations do, between algorithms or settings
  /// By the position or the name; null if no run has it.
  const MeasureComparison* find(std::size_t quantity) const;
  const MeasureComparison* find(std::string_view name) const;
};

StudyComparison compare_study(const Study& study);

/// Evaluations per client: the mean over the finished repetitions; 0 if nothing is evaluated.
double evaluations_of(const StudyCell& cell);
/// Whether so many evaluations differ by more than 1 %; none differ from 0, of runs that evaluate
/// nothing.
bool work_differs(double evaluations, double others);
/// The measure by which algorithms can be compared within each setting, or settings of the one
/// algorithm. A sum over evaluations, where their numbers differ by more than 1 %, is replaced by
/// what it is per evaluation: whose work was lost, or never done, would look better.
std::size_t comparable_measure(const Study& study, std::size_t quantity);

/// Nothing unless two algorithms have values in this setting, and each of them pairs with the best.
std::optional<Winner> winner(const MeasureComparison& measure, std::size_t setting);

/// `b`'s values against `a`'s in the repetitions that both have; not corrected. Nothing for sums
/// over evaluations whose numbers differ (comparable_measure).
std::optional<PairedEffect> effect_of(const StudyCell& b, const StudyCell& a, std::size_t quantity);

/// The position of a measure.
std::optional<std::size_t> find_measure(std::string_view name);
/// Of all of them.
std::vector<std::string> measure_names();
/// The position of the measure. Throws std::invalid_argument that says what is allowed.
std::size_t parse_measure(const std::string& name);

}  // namespace posse
