// SPDX-License-Identifier: Apache-2.0
#include "core/objective/truncated_normal.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/base/math.hpp"

namespace posse {
namespace {

constexpr double kSqrt2 = std::numbers::sqrt2;
// Beyond this many standard deviations the normal tail is exponential to within 1e-8.
constexpr double kExponentialFrom = 1e4;
// Up to here erfc_inv keeps its digits; beyond, the quantile is solved on the scaled tail.
constexpr double kDirectUpTo = 5;

}  // namespace

double erfcx(double x) {
  if (x < 8) return math::exp(x * x) * math::erfc(x);
  // Continued fraction, x large: erfcx = (1/sqrt pi) / (x + (1/2)/(x + 1/(x + (3/2)/(x + …)))).
  double tail = x;
  for (int i = 24; i >= 1; --i) tail = x + 0.5 * i / tail;
  return std::numbers::inv_sqrtpi / tail;
}

TruncatedNormal::TruncatedNormal(double mu, double sd) : mu_(mu), sd_(sd), alpha_(-mu / sd) {
  const double beta = (1 - mu) / sd;
  exponent_ = (1 - 2 * mu) / (2 * sd * sd);  // (beta - alpha)(beta + alpha) / 2
  // alpha may be very negative (small sd): the scaled tail would overflow, the plain one doesn't.
  if (alpha_ >= -kDirectUpTo) {
    tail_low_ = erfcx(alpha_ / kSqrt2);
    tail_high_ = math::exp(-exponent_) * erfcx(beta / kSqrt2);
  } else {
    const double scale = math::exp(std::min(alpha_ * alpha_ / 2, 700.0));
    tail_low_ = scale * math::erfc(alpha_ / kSqrt2);
    tail_high_ = scale * math::erfc(beta / kSqrt2);
  }
}

double TruncatedNormal::mean() const {
  // mu + sd (phi(alpha) - phi(beta)) / (Phi(beta) - Phi(alpha)), both scaled by exp(alpha^2 / 2).
  const double density = alpha_ < -37 ? 0 : -math::expm1(-exponent_);
  return mu_ + sd_ * std::sqrt(2 / std::numbers::pi) * density / (tail_low_ - tail_high_);
}

TruncatedNormal TruncatedNormal::with_mean(double mean, double sd) {
  if (sd / mean > kExponentialFrom) return {-sd * sd / mean, sd};
  double high = 0.5;  // the mean is 1/2 there, and `mean` is at most 1/2
  double low = -1;
  while (TruncatedNormal(low, sd).mean() > mean) {
    high = low;
    low *= 2;
  }
  double mu = std::clamp(mean, low, high);
  for (int i = 0; i < 200; ++i) {
    const TruncatedNormal law(mu, sd);
    const double error = law.mean() - mean;
    if (std::abs(error) <= 1e-14) break;
    (error > 0 ? high : low) = mu;
    // Slope by a secant over a small step; bisect when Newton leaves the bracket.
    const double step = 1e-5 * std::max(1.0, std::abs(mu)) * sd;
    const double slope = (TruncatedNormal(mu + step, sd).mean() - law.mean()) / step;
    double next = mu - error / slope;
    if (!(next > low && next < high)) next = low + (high - low) / 2;
    if (next == mu) break;
    mu = next;
  }
  return {mu, sd};
}

double TruncatedNormal::quantile(double u) const {
  if (alpha_ > kExponentialFrom) {
    // Exponential with rate alpha / sd, cut at 1 (where the remaining mass is 0).
    return std::min(1.0, -math::log1p(-u) * sd_ / alpha_);
  }
  const double tail = tail_low_ + u * (tail_high_ - tail_low_);
  if (alpha_ <= kDirectUpTo) {
    const double unscaled = tail * math::exp(-std::min(alpha_ * alpha_ / 2, 700.0));
    const double z = kSqrt2 * math::erfc_inv(std::clamp(unscaled, 1e-300, 2.0 - 0x1p-52));
    return std::clamp(mu_ + sd_ * z, 0.0, 1.0);
  }
  // Newton for t = z - alpha on ln tail, which is concave and nearly linear.
  const double target = math::log(tail / tail_low_);
  double t = -target / alpha_;
  for (int i = 0; i < 20; ++i) {
    const double scaled = erfcx((alpha_ + t) / kSqrt2);
    const double value = -alpha_ * t - t * t / 2 + math::log(scaled / tail_low_);
    const double hazard = std::sqrt(2 / std::numbers::pi) / scaled;
    const double step = (value - target) / hazard;
    t += step;
    if (std::abs(step) <= 1e-14 * (1 + std::abs(t))) break;
  }
  return std::clamp(sd_ * t, 0.0, 1.0);
}

}  // namespace posse
