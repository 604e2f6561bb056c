// SPDX-License-Identifier: Apache-2.0
// The mean curve over several repetitions, with its band.
#pragma once

#include <cstddef>
#include <vector>

#include "program/base/statistics.hpp"

namespace posse {

struct XY {
  double x = 0, y = 0;
};
/// One repetition's curve. x doesn't decrease; of points with the same x the last one counts.
using Curve = std::vector<XY>;

/// The value of a curve between its points.
enum class Between {
  line,            // linear; undefined outside the first and last point
  line_then_hold,  // linear; the last value holds after the end; undefined before the first
  hold,            // the value of the last point, also after the end; undefined before the first
};

struct MeanPoint {
  double x = 0;
  double mean = 0;
  double half_width = 0;  // of the band; 0 for one curve
};

/// At every x of any curve at which all curves are defined, in order. Curves that are empty are
/// left out. With more than `most_points` x's, some are skipped evenly, never the first or last.
std::vector<MeanPoint> mean_curve(const std::vector<Curve>& curves,
                                  Between between,
                                  Band band = Band::interval,
                                  std::size_t most_points = 500);

/// The curve's value at x; it must be defined there.
double value_at(const Curve& curve, Between between, double x);

}  // namespace posse
