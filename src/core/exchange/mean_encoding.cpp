// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/mean_encoding.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace posse {

std::uint32_t MeanEncoding::bytes_per_mean() const {
  switch (format) {
    case MeanFormat::f64:
      return 8;
    case MeanFormat::f32:
      return 4;
    case MeanFormat::u16:
      return 2;
    case MeanFormat::u8:
      return 1;
  }
  return 0;
}

double MeanEncoding::grid_value(std::uint32_t number) const {
  if (number == steps()) return high;
  return low + (high - low) * (double{1} * number / steps());
}

std::uint32_t MeanEncoding::nearest(double value) const {
  const double at = (value - low) / (high - low) * steps();
  return static_cast<std::uint32_t>(std::clamp(std::floor(at + 0.5), 0.0, double{1} * steps()));
}

std::uint32_t MeanEncoding::rounded(double mean, double u) const {
  POSSE_CHECK(!std::isnan(mean), "a mean is not a number");
  const double at = (std::clamp(mean, low, high) - low) / (high - low) * steps();
  const double below = std::floor(at);
  return static_cast<std::uint32_t>(below) + (u < at - below ? 1 : 0);
}

double MeanRounding::clip(double mean, double low, double high) {
  POSSE_CHECK(!std::isnan(mean), "a mean is not a number");
  if (mean < low || mean > high) ++clipped_;
  return std::clamp(mean, low, high);
}

double MeanRounding::round(double mean) {
  if (encoding_.is_exact()) return mean;
  if (!encoding_.has_grid()) {
    constexpr double kMost = std::numeric_limits<float>::max();
    return double{static_cast<float>(clip(mean, -kMost, kMost))};
  }
  const double clipped = clip(mean, encoding_.low, encoding_.high);
  return encoding_.grid_value(encoding_.rounded(clipped, stream_.at(rounded_++)));
}

}  // namespace posse
