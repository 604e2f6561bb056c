#include "program/base/statistics.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/math.hpp"

namespace posse {

Statistics statistics(const std::vector<double>& values) {
  Statistics s;
  s.n = values.size();
  if (values.empty()) return s;
  s.min = *std::min_element(values.begin(), values.end());
  s.max = *std::max_element(values.begin(), values.end());
  s.mean = s.min;
  if (s.min == s.max) return s;  // exactly, without the rounding of a sum
  double sum = 0;
  for (const double x : values) sum += x;
  s.mean = sum / static_cast<double>(s.n);
  double squares = 0;
  for (const double x : values) squares += (x - s.mean) * (x - s.mean);
  s.sd = std::sqrt(squares / static_cast<double>(s.n - 1));
  return s;
}

std::optional<Interval> interval_95(const Statistics& s) {
  if (s.n < 2) return std::nullopt;
  const auto n = static_cast<double>(s.n);
  const double t = math::student_t_quantile(n - 1, 0.975);
  const double half = t * s.sd / std::sqrt(n);
  return Interval{s.mean - half, s.mean + half};
}

}  // namespace posse
