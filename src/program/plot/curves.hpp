// Curves of several repetitions put together: their mean and standard deviation at each x.
#pragma once

#include <cstddef>
#include <vector>

namespace posse {

struct XY {
  double x = 0, y = 0;
};
/// One repetition's curve. x doesn't decrease; of points with the same x the last one counts.
using Curve = std::vector<XY>;

/// What a curve does between its points.
enum class Between {
  line,  // linear; a curve says nothing outside its first and last point
  hold,  // keeps the value of the last point, also after the end; says nothing before the first
};

struct MeanPoint {
  double x = 0;
  double mean = 0, sd = 0;  // sd of a sample, 0 for one curve
};

/// At every x of any curve at which all curves say something, in order. Curves that are empty are
/// left out. With more than `most_points` x's, some are skipped evenly, never the first or last.
std::vector<MeanPoint> mean_curve(const std::vector<Curve>& curves,
                                  Between between,
                                  std::size_t most_points = 1000);

/// The curve's value at x; it must say something there.
double value_at(const Curve& curve, Between between, double x);

}  // namespace posse
