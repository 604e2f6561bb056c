// SPDX-License-Identifier: Apache-2.0
// Mean, spread and confidence of a few repetitions.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace posse {

struct Statistics {
  std::size_t n = 0;
  double mean = 0;
  double sd = 0;  // of a sample (n - 1); 0 for n < 2
  double min = 0, max = 0;
};
/// Summed in order.
Statistics statistics(const std::vector<double>& values);

struct Interval {
  double low = 0, high = 0;
  bool contains(double x) const { return low <= x && x <= high; }
};

/// The two-sided 95 % interval of the mean: mean ± t(0.975; n - 1) sd / sqrt(n), Student's t, for
/// independent and roughly normal values. None for fewer than two values. Equal values give
/// an interval of width 0: the quantity does not depend on the repetitions' randomness.
std::optional<Interval> interval_95(const Statistics& s);

/// The interval of the mean at another level, 0 < level < 1.
std::optional<Interval> interval_of_mean(const Statistics& s, double level);

/// What a band around a mean, or an error bar, is.
enum class Band { interval, sd };
/// "95 % interval of the mean", "± 1 standard deviation".
std::string_view in_words(Band band);
/// How far it goes from the mean; 0 for fewer than two values.
double half_width(const Statistics& s, Band band);

/// mean(a) / mean(b) of paired values, with its interval by Fieller (1954): exact for values that
/// are jointly normal. Without an interval if there are fewer than two pairs, or if b's mean can't
/// be told from 0 at this level. Nothing if b's mean is 0.
struct Ratio {
  double value = 0;
  std::optional<Interval> interval;
};
std::optional<Ratio> paired_ratio(const std::vector<double>& a,
                                  const std::vector<double>& b,
                                  double level);

/// The p-value of the two-sided t-test that the mean is 0. 1 for fewer than two values and for
/// values that are all 0; 0 for equal values other than 0.
double p_value_of_mean(const Statistics& s);

/// Holm (1979), step-down: which hypotheses are rejected at a family-wise error of `alpha`.
std::vector<bool> holm(const std::vector<double>& p_values, double alpha);

/// The least n for which the half width of the mean's interval is at most `half_width`, taking the
/// standard deviation for known: t(level; n - 1) sd / sqrt(n). At least 2; nothing above a million.
std::optional<std::size_t> repetitions_for(double sd, double half_width, double level);

}  // namespace posse
