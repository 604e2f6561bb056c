// SPDX-License-Identifier: Apache-2.0
// Rounds against m n, the evaluations of all clients together.
//
// An algorithm whose rounds grow as ln(mn) lies on a straight line over a logarithmic axis. Its
// slope is fitted by least squares over all repetitions, with a 95 % interval (Student's t;
// repetitions of one setting share an error, so settings count as one observation each: their means
// are fitted). Beside it the ceiling that each run states (Chen et al. 2015 for `parallel`: q <= 1
// + floor( ln(2 m n nu1^2 / L) / (2 ln(1/rho)))), with its own slope.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "program/base/statistics.hpp"
#include "program/plot/chart.hpp"
#include "program/results/run_data.hpp"

namespace posse {

struct LineFit {
  double slope = 0, at_zero = 0;
  std::optional<Interval> interval;  // of the slope, 95 %; with three points at least
};
/// Least squares, y over x. Nothing with fewer than two different x.
std::optional<LineFit> fit_line(const std::vector<double>& x, const std::vector<double>& y);

MaybeChart rounds_law_chart(const std::vector<RunData>& settings, Band band = Band::interval);

}  // namespace posse
