// SPDX-License-Identifier: Apache-2.0
// A study's numbers compared: algorithms within each setting, settings for each algorithm.
//
// Differences are taken repetition by repetition (equal seeds), so that they vary less than the
// values. Intervals are at 95 %, each on its own. What counts as shown is corrected for the number
// of comparisons of a measure: paired t-tests with Holm's procedure at a family-wise error of 5 %.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "program/base/quantities.hpp"
#include "program/base/statistics.hpp"
#include "program/study/study.hpp"

namespace posse {

inline constexpr double kLevel = 0.95;

/// Values minus, and over, those of a reference in the same repetitions.
struct PairedEffect {
  Statistics difference;
  std::optional<Interval> interval;  // of the difference
  std::optional<Ratio> ratio;
  bool shown = false;  // not 0, after the correction
  bool equal() const { return difference.min == 0 && difference.max == 0; }
};

struct MeasuredCell {
  Statistics values;
  std::optional<PairedEffect> to_first_algorithm;  // in the same setting
  std::optional<PairedEffect> to_first_setting;    // of the same algorithm
};

/// One measure over the whole study.
struct MeasureComparison {
  std::size_t quantity = 0;                                     // in kQuantities
  std::vector<std::vector<std::optional<MeasuredCell>>> cells;  // [setting][algorithm]
  std::size_t comparisons = 0;                                  // the correction is for
};

/// The algorithm with the smallest mean in a setting, and the next one.
struct Winner {
  std::size_t algorithm = 0, runner_up = 0;
  PairedEffect lead;   // the runner-up's values against the winner's
  bool clear = false;  // the winner is shown to be below every other algorithm
};

struct StudyComparison {
  std::vector<MeasureComparison> measures;  // those that some run has
  bool work_differs = false;                // evaluations do, between algorithms or settings
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

/// Nothing unless two algorithms have values in common repetitions of this setting.
std::optional<Winner> winner(const Study& study, std::size_t quantity, std::size_t setting);

/// `b`'s values against `a`'s in the repetitions that both have; not corrected. Nothing for sums
/// over evaluations whose numbers differ (comparable_measure).
std::optional<PairedEffect> effect_of(const StudyCell& b, const StudyCell& a, std::size_t quantity);

/// A half width that an interval shall have: "0.01", or a share of the mean: "5%".
struct WantedWidth {
  std::size_t quantity = 0;
  double width = 0;
  bool relative = false;
};
/// A position in kQuantities. Throws std::invalid_argument that says what is allowed.
std::size_t parse_measure(const std::string& name);
/// "cumulative_regret=5%". Throws std::invalid_argument that says what is allowed.
WantedWidth parse_width(const std::string& text);

/// The width as it is judged, where comparable_measure replaces its measure: an absolute one then
/// is divided by the largest number of evaluations per client.
WantedWidth comparable_width(const Study& study, WantedWidth wanted);

/// Repetitions, in all, for which the intervals of a measure are as narrow as wanted, as far as the
/// present repetitions tell: of the differences between algorithms in each setting, or, with one
/// algorithm, of those between settings; else of the mean. Relative widths are shares of the
/// reference's mean. At least five, unless all differences are equal. Nothing if there are fewer
/// than two repetitions, or more than a million are needed.
std::optional<std::size_t> repetitions_needed(const Study& study, const WantedWidth& wanted);
/// Whether that is so now.
bool width_reached(const Study& study, const WantedWidth& wanted);
/// How many repetitions to make next if there are `now`: at most twice as many; nothing if the
/// width is reached.
std::optional<std::uint32_t> next_repetitions(const Study& study,
                                              const WantedWidth& wanted,
                                              std::uint32_t now);

}  // namespace posse
