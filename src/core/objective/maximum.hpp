// SPDX-License-Identifier: Apache-2.0
// The maximum of a mean of objectives, f̄ = (1/M) sum f_m, with a certificate:
// lower <= max <= upper.
//
// lower is f̄ at a point. upper follows by branch and bound over boxes: the upper bound of a box is
// the largest value there of the mean of the objectives' upper models.
//
// Closed forms (Objective::closed_form) have models of second order, whose slopes and curvatures
// cancel in the mean as those of the objectives do. Branch and bound goes on until upper - lower is
// at most a relative 1e-12. Around a smooth maximum the number of boxes grows with the logarithm of
// the accuracy; so it does at a kink, where a bound's error is proportional to the box. Of a box
// that is split, two points are tried: its centre, and a cusp in it or else the point where the
// bound is largest (a Newton step). A search with shrinking steps ends at the best point. At a
// cusp, f̄ is that of the real number, not of the nearest double (UpperModel::kAtPeak), so that f̄
// exceeds the maximum nowhere by more than rounding errors. Cost: 3 to 50 ms for 100 shifted
// objectives, proportional to their number.
//
// For other objectives upper - lower <= tolerance is enough. Their candidate maximisers are tried
// first, and a local search with shrinking steps refines the best points. Separable objectives are
// maximised one coordinate at a time (the gaps add up).
//
// Where an evaluation takes milliseconds (Objective::expensive) the maximum is the best known: the
// best of the candidates of up to 20 objectives and of 40 points tried around it. If all objectives
// have a conventional maximum, the mean of these is used without a search; its point is the centre
// of the box.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/objective/objective.hpp"

namespace posse {

/// A maximum and its certificate: lower <= max <= upper. Regrets refer to `value` (= lower). upper
/// is +infinity where no modulus is known.
struct CertifiedMaximum {
  double value = 0;
  double upper = 0;
  std::vector<double> point;
  bool exact = false;         // from a formula: value == upper
  bool conventional = false;  // by convention of the literature; may not be attained
  /// By branch and bound: upper - value is at most a relative 1e-12.
  bool certified = false;
};

struct MaximumSearch {
  /// Stop when upper - lower is at most this; closed forms: a relative 1e-12.
  double tolerance = 1e-3;
  /// Evaluations of single objectives that branch and bound may use; the candidates may use as
  /// many. At least 200 evaluations of f̄ are made however many objectives there are. A search that
  /// reaches its limit reports the remaining gap.
  std::uint64_t evaluations = 3'000'000;
};

/// f̄(x), summed in the order of the objectives.
double mean_value(std::span<const std::shared_ptr<const Objective>> objectives,
                  std::span<const double> x);

/// Not empty; all on the same box. About 0.1 us per evaluation.
CertifiedMaximum maximise_mean(std::span<const std::shared_ptr<const Objective>> objectives,
                               const MaximumSearch& search = {});

}  // namespace posse
