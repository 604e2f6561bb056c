// SPDX-License-Identifier: Apache-2.0
// Intervals of a mean that hold at every number of values at once, so that one may look after each
// value and stop whenever one likes.
//
// The Bayes factor of "the mean is mu, plus sd times an effect drawn from N(0, kEffectVariance)"
// against "the mean is mu", for independent normal values of unknown sd with the right Haar prior.
// Given the effect, t is non-central; over the effects drawn, t / sqrt(1 + n g) is Student's t with
// n - 1 degrees. The ratio of both densities of t is
//
//   (1 + n g)^(-1/2) [(1 + t^2 / (n - 1)) / (1 + t^2 / ((n - 1) (1 + n g)))]^(n / 2).
//
// At the true mean it is a martingale over n that begins at 1, so it ever reaches 1 / error with a
// probability of at most `error` (Ville); the means at which it has not are the interval. Lai
// (1976), "On confidence sequences"; Hendriksen, de Heide & Grünwald (2021), "Optional stopping
// with Bayes factors"; Wang & Ramdas (2023), "Anytime-valid t-tests and confidence sequences for
// Gaussian means with unknown variance", whose Gaussian mixture this is.
#pragma once

#include <cstddef>
#include <optional>

#include "program/base/statistics.hpp"

namespace posse {

/// g, chosen among 1, 3, 10, 30 and 100: shows large differences after few values, and others
/// hardly later than the best of these.
inline constexpr double kEffectVariance = 10;

/// Of `n` >= 2 values with this t statistic.
double log_bayes_factor(std::size_t n, double t);

/// Half the interval's width; nothing while no mean can be excluded: for fewer than two values, and
/// for few values with a small error. 0 if all values are equal. 0 < `error` < 1.
std::optional<double> anytime_half_width(std::size_t n, double sd, double error);
/// Contains the mean for all n at once, with a probability of at least 1 - `error`.
std::optional<Interval> anytime_interval(const Statistics& s, double error);

/// The least n whose half width is below `distance` > 0, taking the standard deviation for known;
/// nothing above a million.
std::optional<std::size_t> anytime_values_for(double sd, double distance, double error);

}  // namespace posse
