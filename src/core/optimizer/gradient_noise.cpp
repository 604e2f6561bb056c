// SPDX-License-Identifier: Apache-2.0
#include "core/optimizer/gradient_noise.hpp"

#include <cmath>

#include "core/base/check.hpp"
#include "core/base/math.hpp"
#include "core/random/distributions.hpp"

namespace posse {

GradientOracle::GradientOracle(const ConvexFunction& function,
                               const GradientNoise& noise,
                               Seed seed,
                               std::string_view name)
    : function_(&function),
      noise_(noise),
      key_(stream_key(seed, "oracle", name)),
      direction_(function.dimension()) {
  POSSE_CHECK(noise.sigma >= 0, "sigma = {} is negative", noise.sigma);
  POSSE_CHECK(noise.kind != GradientNoiseKind::heavy_tail || noise.theta > noise.alpha,
              "theta = {} must be above alpha = {}",
              noise.theta,
              noise.alpha);
}

double GradientOracle::call(const Vector& x, Vector& gradient) {
  const double value = function_->value_and_subgradient(x, gradient);
  const std::uint64_t call = calls_++;
  if (noise_.kind == GradientNoiseKind::none || noise_.sigma == 0) return value;
  DrawEngine draws(key_, call);
  for (auto& z : direction_) z = draw_normal(draws);
  if (noise_.kind == GradientNoiseKind::gaussian) {
    gradient += direction_ * (noise_.sigma / std::sqrt(static_cast<double>(direction_.size())));
  } else {
    const double length =
        noise_.sigma * math::pow((noise_.theta - noise_.alpha) / noise_.theta, 1 / noise_.alpha) *
        math::pow(draws.uniform(), -1 / noise_.theta);
    gradient += direction_ * (length / direction_.norm());
  }
  return value;
}

}  // namespace posse
