// The maximum of a mean of objectives, f̄ = (1/M) sum f_m, with a certificate: lower <= max <=
// upper.
//
// lower is f̄ at a point that was evaluated, upper follows from the moduli of continuity by branch
// and bound over boxes: upper bound of a box with centre c and half-width r = (1/M) sum_m u_m, u_m
// f_m's own upper bound there. Points tried first: every objective's candidate maximisers (cusps,
// spikes), where the maximum of the mean usually is. Separable objectives are maximised one
// coordinate at a time (the gaps add up). The best points are refined by a shrinking search.
//
// Where an evaluation takes milliseconds (Objective::expensive) the maximum is the best known: the
// best of the candidates of up to 20 objectives, and of 40 points tried around it. A conventional
// maximum, if all objectives have one, is taken without a search; its point is the box's centre.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/objective/objective.hpp"

namespace posse {

/// A maximum with what is known of it: lower <= max <= upper; `value` (= lower) is what regrets
/// use. upper is +infinity where no modulus is known.
struct CertifiedMaximum {
  double value = 0;
  double upper = 0;
  std::vector<double> point;
  bool exact = false;         // from a formula: value == upper
  bool conventional = false;  // agreed on in the literature, whether reached or not
};

struct MaximumSearch {
  double tolerance = 1e-3;  // stop when upper - lower is at most this
  /// Evaluations of single objectives that branch and bound may use, and as many for the
  /// candidates; at least 200 evaluations of f̄ are made however many objectives there are. A search
  /// that runs out reports the gap it has reached.
  std::uint64_t evaluations = 3'000'000;
};

/// f̄(x), summed in order.
double mean_value(std::span<const std::shared_ptr<const Objective>> objectives,
                  std::span<const double> x);

/// Not empty; all on the same box. About 0.1 us per evaluation.
CertifiedMaximum maximise_mean(std::span<const std::shared_ptr<const Objective>> objectives,
                               const MaximumSearch& search = {});

}  // namespace posse
