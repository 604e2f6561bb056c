// SPDX-License-Identifier: Apache-2.0
// The section [thresholds] of a scenario: what its results must keep to.
//
//   simple_regret = "p(50) < 0.01"                     over the repetitions of every algorithm
//   "fed-pne.rounds" = ["max <= bound", "mean <= 9"]   of one algorithm
//
// Grammar: (min | mean | max | p(q)) (< | <= | > | >=) (number | text with unit | bound). p(q) is
// the q-th percentile, 0 < q < 100: the smallest value that at least q % of the values don't
// exceed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "program/scenario/diagnostics.hpp"
#include "program/scenario/value.hpp"

namespace posse {

struct Threshold {
  enum class Of { min, mean, max, percentile };
  enum class Relation { less, at_most, greater, at_least };

  std::optional<std::string> algorithm;  // label; nothing: every algorithm
  std::string measure;                   // the name of a quantity
  std::string condition;                 // as written
  Of of = Of::mean;
  double percentile = 50;
  Relation relation = Relation::at_most;
  std::optional<double> limit;  // in base units; nothing: the measure's bound
  SourceLocation location;

  bool holds(double value, double against) const;
};

/// Mistakes are added to `diagnostics`. `labels`: of the algorithms; unless they are `all`, others
/// may be right too.
std::vector<Threshold> read_thresholds(const Value& section,
                                       const std::vector<std::string>& labels,
                                       bool all,
                                       Diagnostics& diagnostics);

/// The p-th percentile, 0 < p < 100, of values in any order: nearest rank. Not of an empty list.
double percentile_of(std::vector<double> values, double p);

/// The least number of values from which a percentile says something: those at its side of 50 %
/// must be able to hold one value. 1 for 50 %, 10 for 10 % and 90 %.
std::size_t values_for_percentile(double p);

/// The thresholds that so many repetitions can't decide, each as a sentence with its place.
std::vector<std::string> undecidable(const std::vector<Threshold>& thresholds,
                                     std::size_t repetitions);

}  // namespace posse
