// SPDX-License-Identifier: Apache-2.0
#include "core/optimizer/ac_sa.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/check.hpp"
#include "core/base/math.hpp"

namespace posse {

AcSa::AcSa(GradientOracle oracle, FeasibleSet set, Vector start, const AcSaOptions& options)
    : Optimizer(std::move(start)),
      oracle_(std::move(oracle)),
      set_(set),
      options_(options),
      start_(point_),
      x_(point_),
      low_(point_.size()),
      gradient_(point_.size()) {
  auto& o = options_;
  POSSE_CHECK(o.smoothness > 0 || (o.lipschitz > 0 && o.strong_convexity == 0),
              "L = {}, M = {}, mu = {}",
              o.smoothness,
              o.lipschitz,
              o.strong_convexity);
  POSSE_CHECK(o.radius > 0, "R = {}", o.radius);
  if (o.as_coded) o.lipschitz = 2;
  const double variance = o.lipschitz * o.lipschitz + o.noise * o.noise;
  if (o.as_coded) {
    largest_ = o.radius;
    gamma_ = std::sqrt(variance / largest_);
  } else if (o.strong_convexity == 0 && variance > 0) {
    reach_ = o.radius;
    largest_ = std::min(set.largest_half_square(point_), o.radius * o.radius / 2);
    gamma_ = std::sqrt(2 * std::sqrt(2.0) / 3 * variance / largest_);
  }
}

void AcSa::advance() {
  const auto t = static_cast<double>(steps());
  const auto& o = options_;
  const double mu = o.strong_convexity;
  const double a = 2 / (t + 1);
  const double gamma =
      1 / (2 * o.smoothness / t + (mu > 0 ? mu * (t - 1) / 2 : gamma_ * std::sqrt(t)));
  const double q = mu > 0 ? a / (a + (1 - a) * (1 + mu * gamma)) : a;
  low_ = (1 - q) * point_ + q * x_;
  oracle_.call(low_, gradient_);
  x_ = (x_ + mu * gamma * low_ - gamma * gradient_) / (1 + mu * gamma);
  set_.project_near(x_, start_, reach_);
  point_ = (1 - a) * point_ + a * x_;
  value_ = oracle_.value(point_);

  const double variance = o.lipschitz * o.lipschitz + o.noise * o.noise;
  const double v = o.as_coded ? o.radius : o.radius * o.radius / 2;
  bound_ = 4 * o.smoothness * v / (t * (t + 1));
  if (mu > 0) {
    bound_ += 4 * variance / (mu * (t + 1));
    if (o.delta > 0)
      bound_ += (2 * o.noise * o.radius / std::sqrt(3 * t) + 4 * o.noise * o.noise / (mu * t)) *
                math::log(1 / o.delta);
  } else if (variance > 0) {
    bound_ += 2 * gamma_ * largest_ / std::sqrt(t) +
              4 * std::sqrt(2.0) * variance / (3 * gamma_ * std::sqrt(t));
  }
}

}  // namespace posse
