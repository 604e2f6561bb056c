// SPDX-License-Identifier: Apache-2.0
#include "program/base/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/check.hpp"
#include "core/base/math.hpp"
#include "program/base/least_number.hpp"

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

namespace {

double t_of(std::size_t n, double level) {
  return math::student_t_quantile(static_cast<double>(n) - 1, (1 + level) / 2);
}

}  // namespace

std::optional<Interval> interval_95(const Statistics& s) {
  if (s.n < 2) return std::nullopt;
  const auto n = static_cast<double>(s.n);
  const double t = math::student_t_quantile(n - 1, 0.975);
  const double half = t * s.sd / std::sqrt(n);
  return Interval{s.mean - half, s.mean + half};
}

std::optional<Interval> interval_of_mean(const Statistics& s, double level) {
  if (s.n < 2) return std::nullopt;
  const double half = t_of(s.n, level) * s.sd / std::sqrt(static_cast<double>(s.n));
  return Interval{s.mean - half, s.mean + half};
}

std::string_view in_words(Band band) {
  return band == Band::interval ? "95 % interval of the mean" : "± 1 standard deviation";
}

double half_width(const Statistics& s, Band band) {
  if (band == Band::sd) return s.sd;
  const auto interval = interval_95(s);
  return interval ? (interval->high - interval->low) / 2 : 0;
}

std::optional<Ratio> paired_ratio(const std::vector<double>& a,
                                  const std::vector<double>& b,
                                  double level) {
  POSSE_CHECK(a.size() == b.size(), "pairs of {} and {} values", a.size(), b.size());
  const Statistics x = statistics(a), y = statistics(b);
  if (a.empty() || y.mean == 0) return std::nullopt;
  Ratio ratio{x.mean / y.mean, std::nullopt};
  if (x.n < 2) return ratio;
  const auto n = static_cast<double>(x.n);
  double products = 0;
  for (std::size_t i = 0; i < a.size(); ++i) products += (a[i] - x.mean) * (b[i] - y.mean);
  const double t = t_of(x.n, level), square = t * t / n;
  const double covariance = products / (n - 1);
  // The ratios r with |x - r y| <= t se(x - r y): q r^2 - 2 p r + o <= 0.
  const double q = y.mean * y.mean - square * y.sd * y.sd;
  const double p = x.mean * y.mean - square * covariance;
  const double o = x.mean * x.mean - square * x.sd * x.sd;
  if (!(q > 0)) return ratio;
  const double root = std::sqrt(std::max(0.0, p * p - q * o));
  ratio.interval = Interval{(p - root) / q, (p + root) / q};
  return ratio;
}

double p_value_of_mean(const Statistics& s) {
  if (s.n < 2 || (s.mean == 0 && s.sd == 0)) return 1;
  if (s.sd == 0) return 0;
  const auto n = static_cast<double>(s.n);
  return math::student_t_two_sided(n - 1, s.mean / (s.sd / std::sqrt(n)));
}

std::vector<bool> holm(const std::vector<double>& p_values, double alpha) {
  std::vector<std::size_t> order(p_values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return p_values[a] < p_values[b];
  });
  std::vector<bool> rejected(p_values.size(), false);
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (p_values[order[i]] > alpha / static_cast<double>(order.size() - i)) break;
    rejected[order[i]] = true;
  }
  return rejected;
}

std::optional<std::size_t> repetitions_for(double sd, double half_width, double level) {
  return least_number([&](std::size_t n) {
    return t_of(n, level) * sd / std::sqrt(static_cast<double>(n)) <= half_width;
  });
}

}  // namespace posse
