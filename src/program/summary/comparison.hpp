// Algorithms compared on one scenario, repetition by repetition.
//
// In one repetition all algorithms see the same objective, and random numbers of the same streams,
// so their differences vary less than their values: every difference is taken per repetition first
// (paired), then averaged. Plain numbers in, plain numbers out; where they come from is
// measurements.hpp's business.
//
// Only repetitions that count for everybody count: an algorithm without any value is left out,
// and of the others the repetitions in which all have one are used, so that means, differences and
// ranks speak of the same repetitions. Smaller is better, as it is for regrets and costs, unless
// the quantity isn't ranked: fewer evaluations are no merit. The intervals are each at 95 %, not
// corrected for their number; the one to the best is a little too hopeful, since the best was found
// from the same numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "program/base/statistics.hpp"

namespace posse {

/// One quantity of every algorithm in every repetition; nothing where a run gave no number.
struct Measured {
  std::string name;                          // as in files: "cumulative_regret"
  std::string unit;                          // "s", "bytes", or "" for a pure number
  std::optional<std::uint64_t> evaluations;  // per client, at a checkpoint; none: at the end
  std::vector<std::vector<std::optional<double>>> values;  // [algorithm][repetition]
  bool ranked = true;  // less is better; else a size of the runs, neither good nor bad
};

/// What an interval of differences says of their sign.
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
  bool ranked = true;               // else `best`, `to_best` and `mean_rank` mean nothing
  std::size_t repetitions = 0;      // that counted
  std::size_t best = 0;             // the algorithm with the smallest mean; the first of equals
  std::size_t reference = 0;        // the first algorithm of the scenario that has values
  std::vector<Standing> standings;  // in the scenario's order
  const Standing& of_best() const;  // the standing of `best`
  bool all_equal() const;           // every value of every algorithm is the same
  /// The best is below each of the others by an interval that excludes 0.
  bool clear() const;
};

/// Nothing unless two algorithms have values in some repetition together.
std::optional<Comparison> compare(const Measured& measured);

/// Ranks from 1, smallest first; equal values share the average of their places.
std::vector<double> ranks(const std::vector<double>& values);

}  // namespace posse
