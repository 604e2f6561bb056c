// The maximum of a mean of objectives, f̄ = (1/M) sum f_m, with a certificate:
// lower <= max <= upper.
//
// lower is f̄ at an evaluated point. upper follows from the moduli of continuity by branch and bound
// over boxes: the upper bound of a box with centre c and half-width r is (1/M) sum_m u_m, where u_m
// is f_m's own upper bound on it. Every objective's candidate maximisers (cusps, spikes) are tried
// first, since the maximum of the mean is usually at one of them. Separable objectives are
// maximised one coordinate at a time (the gaps add up). A local search with shrinking steps refines
// the best points.
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
};

struct MaximumSearch {
  double tolerance = 1e-3;  // stop when upper - lower is at most this
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
