// SPDX-License-Identifier: Apache-2.0
#include "core/function/synthetic_functions.hpp"

#include <cmath>

#include "core/base/check.hpp"

namespace posse {

SmoothCone::SmoothCone(double minimum, Vector diagonal, Vector minimiser, double strong_convexity)
    : minimum_(minimum),
      diagonal_(std::move(diagonal)),
      minimiser_(std::move(minimiser)),
      mu_(strong_convexity) {
  POSSE_CHECK(diagonal_.size() == minimiser_.size() && diagonal_.minCoeff() > 0,
              "{} entries, the smallest {}, for {} dimensions",
              diagonal_.size(),
              diagonal_.minCoeff(),
              minimiser_.size());
}

double SmoothCone::value(const Vector& x) const {
  const double square = (diagonal_.array() * (x.array() - minimiser_.array()).square()).sum();
  const double value = minimum_ - 1 + std::sqrt(1 + square);
  return mu_ > 0 ? value + mu_ / 2 * (x - minimiser_).squaredNorm() : value;
}

double SmoothCone::value_and_subgradient(const Vector& x, Vector& gradient) const {
  gradient = diagonal_.array() * (x.array() - minimiser_.array());
  const double root = std::sqrt(1 + gradient.dot(x - minimiser_));
  gradient /= root;
  if (mu_ == 0) return minimum_ - 1 + root;
  gradient += mu_ * (x - minimiser_);
  return minimum_ - 1 + root + mu_ / 2 * (x - minimiser_).squaredNorm();
}

PiecewiseLinear::PiecewiseLinear(Matrix slopes,
                                 Vector offsets,
                                 double shift,
                                 std::optional<double> minimum)
    : slopes_(std::move(slopes)), offsets_(std::move(offsets)), shift_(shift), minimum_(minimum) {
  POSSE_CHECK(slopes_.rows() == offsets_.size() && slopes_.rows() > 0,
              "{} slopes and {} offsets",
              slopes_.rows(),
              offsets_.size());
}

double PiecewiseLinear::value(const Vector& x) const {
  double best = slopes_.row(0).dot(x) + offsets_[0];
  for (Eigen::Index k = 1; k < slopes_.rows(); ++k)
    best = std::max(best, slopes_.row(k).dot(x) + offsets_[k]);
  return best + shift_;
}

double PiecewiseLinear::value_and_subgradient(const Vector& x, Vector& gradient) const {
  Eigen::Index first = 0;
  double best = slopes_.row(0).dot(x) + offsets_[0];
  for (Eigen::Index k = 1; k < slopes_.rows(); ++k) {
    const double plane = slopes_.row(k).dot(x) + offsets_[k];
    if (plane > best) {
      best = plane;
      first = k;
    }
  }
  gradient = slopes_.row(first);
  return best + shift_;
}

}  // namespace posse
