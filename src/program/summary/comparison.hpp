// SPDX-License-Identifier: Apache-2.0
// Algorithms compared on one scenario, repetition by repetition.
//
// In one repetition all algorithms have the same objective and common random numbers, so that their
// differences vary less than their values. Differences are therefore taken per repetition (paired)
// and then averaged. compared_quantities.hpp provides the numbers.
//
// An algorithm without any value is left out; of the repetitions only those are used in which all
// others have a value, so that means, differences and ranks refer to the same repetitions. Smaller
// is better, as for regrets and costs, unless the quantity is not ranked (evaluations). Each
// interval is at 95 %, without a correction for multiple comparisons; the interval to the best is
// slightly too narrow, since the best is chosen from the same data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "program/base/statistics.hpp"

namespace posse {

/// One quantity of every algorithm in every repetition; nothing where a run has no value.
struct Measured {
  std::string name;                          // as in files: "cumulative_regret"
  std::string unit;                          // "s", "bytes", or "" for a pure number
  std::optional<std::uint64_t> evaluations;  // per client, at a checkpoint; none: at the end
  std::vector<std::vector<std::optional<double>>> values;  // [algorithm][repetition]
  bool ranked = true;                                      // less is better; else neither
};

/// The sign of a difference, judged by its interval.
enum class Sign { negative, none, positive, unclear };

/// An algorithm's value minus another's.
struct Difference {
  Statistics values;
  std::optional<Interval> interval;
  /// unclear without an interval; none if all differences are exactly 0.
  Sign sign() const;
};
Difference paired_difference(const std::vector<double>& values, const std::vector<double>& others);

/// One algorithm's place in a comparison.
struct Standing {
  std::size_t algorithm = 0;  // index in the scenario
  Statistics measured;
  Difference to_best, to_reference;  // this algorithm's value minus theirs
  double mean_rank = 1;              // 1: smallest; ties share the average of their ranks
};

struct Comparison {
  std::string name, unit;
  std::optional<std::uint64_t> evaluations;
  bool ranked = true;               // else `best`, `to_best` and `mean_rank` are undefined
  std::size_t repetitions = 0;      // that were used
  std::size_t best = 0;             // the algorithm with the smallest mean; the first of equals
  std::size_t reference = 0;        // the first algorithm of the scenario that has values
  std::vector<Standing> standings;  // in the scenario's order
};

/// Nothing unless at least two algorithms have values in a common repetition.
std::optional<Comparison> compare(const Measured& measured);

/// Ranks from 1, smallest first; ties share the average of their ranks.
std::vector<double> ranks(const std::vector<double>& values);

}  // namespace posse
