// Mean, spread and confidence of a few repetitions.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace posse {

struct Statistics {
  std::size_t n = 0;
  double mean = 0;
  double sd = 0;  // of a sample (n - 1); 0 for n < 2
  double min = 0, max = 0;
};
/// Summed in order.
Statistics statistics(const std::vector<double>& values);

struct Interval {
  double low = 0, high = 0;
  bool contains(double x) const { return low <= x && x <= high; }
};

/// The two-sided 95 % interval of the mean: mean ± t(0.975; n - 1) sd / sqrt(n), Student's t, for
/// independent and roughly normal values. None for fewer than two values. Equal values give
/// an interval of width 0: the quantity does not depend on the repetitions' randomness.
std::optional<Interval> interval_95(const Statistics& s);

}  // namespace posse
