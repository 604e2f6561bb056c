// SPDX-License-Identifier: Apache-2.0
// Prometheus' histogram_quantile over classic buckets, as its documentation describes it.
#pragma once

#include <cmath>
#include <limits>
#include <map>

namespace posse::test {

/// `buckets`: cumulative counts by upper bound, the last of them infinite.
inline double bucket_quantile(double q, const std::map<double, double>& buckets) {
  if (buckets.size() < 2 || !std::isinf(buckets.rbegin()->first) || buckets.rbegin()->second == 0)
    return std::numeric_limits<double>::quiet_NaN();
  const double rank = q * buckets.rbegin()->second;
  double bound_before = 0, count_before = 0;
  for (const auto& [bound, count] : buckets) {
    if (std::isinf(bound)) break;
    if (count >= rank) {
      const bool first = bound == buckets.begin()->first;
      if (first && bound <= 0) return bound;
      return bound_before + (bound - bound_before) * (rank - count_before) / (count - count_before);
    }
    bound_before = bound;
    count_before = count;
  }
  return bound_before;  // of the largest finite bound
}

}  // namespace posse::test
