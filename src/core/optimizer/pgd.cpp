// SPDX-License-Identifier: Apache-2.0
#include "core/optimizer/pgd.hpp"

#include <cmath>

#include "core/base/check.hpp"

namespace posse {

Pgd::Pgd(GradientOracle oracle, FeasibleSet set, Vector start, const PgdOptions& options)
    : Optimizer(std::move(start)),
      oracle_(std::move(oracle)),
      set_(set),
      options_(options),
      x_(point_),
      gradient_(point_.size()) {
  POSSE_CHECK(options.lipschitz > 0 && options.radius > 0 && options.strong_convexity >= 0,
              "M = {}, R = {}, mu = {}",
              options.lipschitz,
              options.radius,
              options.strong_convexity);
}

void Pgd::advance() {
  const auto k = static_cast<double>(steps());
  const double m = options_.lipschitz;
  const double r = options_.radius;
  const double mu = options_.strong_convexity;
  double eta = 0;
  double weight = 0;
  if (mu > 0) {
    eta = 2 / (mu * (k + 1));
    weight = k;
    bound_ = 2 * m * m / (mu * (k + 1));
  } else {
    const double scale = options_.horizon > 0 ? static_cast<double>(options_.horizon) : k;
    eta = r / (m * std::sqrt(scale));
    weight = eta;
    squared_steps_ += eta * eta;
    bound_ = options_.horizon > 0 ? r * r / (2 * eta * k) + eta * m * m / 2
                                  : (r * r + m * m * squared_steps_) / (2 * (weights_ + eta));
  }
  weights_ += weight;
  point_ += (x_ - point_) * (weight / weights_);
  oracle_.call(x_, gradient_);
  x_ -= eta * gradient_;
  set_.project(x_);
  value_ = oracle_.value(point_);
}

}  // namespace posse
