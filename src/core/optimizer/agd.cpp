// SPDX-License-Identifier: Apache-2.0
#include "core/optimizer/agd.hpp"

#include <cmath>

#include "core/base/check.hpp"
#include "core/base/math.hpp"

namespace posse {

Agd::Agd(GradientOracle oracle, Vector start, const AgdOptions& options)
    : Optimizer(std::move(start)),
      oracle_(std::move(oracle)),
      options_(options),
      y_(point_),
      gradient_(point_.size()),
      next_(point_.size()) {
  POSSE_CHECK(options.smoothness > 0, "L = {}", options.smoothness);
  POSSE_CHECK(options.strong_convexity >= 0 && options.strong_convexity <= options.smoothness,
              "mu = {} is not in [0, L]",
              options.strong_convexity);
}

void Agd::advance() {
  const auto k = static_cast<double>(steps());
  const auto& [l, mu, r] = options_;
  oracle_.call(y_, gradient_);
  next_ = y_ - gradient_ / l;
  double momentum = (k - 1) / (k + 2);
  if (mu > 0) {
    const double root = std::sqrt(l / mu);
    momentum = (root - 1) / (root + 1);
    bound_ = (l + mu) / 2 * r * r * math::exp(-k / root);
  } else {
    bound_ = 2 * l * r * r / (k * k + 5 * k + 6);
  }
  y_ = next_ + momentum * (next_ - point_);
  point_.swap(next_);
  value_ = oracle_.value(point_);
}

}  // namespace posse
