// SPDX-License-Identifier: Apache-2.0
#include "core/optimizer/clipped_sstm.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/check.hpp"
#include "core/base/math.hpp"

namespace posse {
namespace {

double step_parameter(const ClippedSstmOptions& o, double log_term, double radius) {
  const auto horizon = static_cast<double>(o.horizon);
  const double growth =
      o.noise * (horizon + 1) * math::pow(horizon, 1 / o.alpha) / (o.smoothness * radius);
  if (o.mode == SstmMode::theory)
    return std::max(48600 * log_term * log_term,
                    1800 * growth * math::pow(log_term, (o.alpha - 1) / o.alpha));
  return std::max(1.0, o.practical_a * growth);
}

double guarantee(const SstmSteps& run, double smoothness, double radius) {
  const auto k = static_cast<double>(run.steps());
  return 6 * run.a() * smoothness * radius * radius / (k * (k + 3));
}

void check(const ClippedSstmOptions& o) {
  POSSE_CHECK(o.smoothness > 0 && o.radius > 0, "L = {}, R = {}", o.smoothness, o.radius);
  POSSE_CHECK(o.alpha > 1 && o.alpha <= 2, "alpha = {} is not in (1, 2]", o.alpha);
  POSSE_CHECK(o.beta > 0 && o.beta < 1, "beta = {} is not in (0, 1)", o.beta);
  POSSE_CHECK(o.horizon >= 1, "the horizon must be at least 1");
}

}  // namespace

SstmSteps::SstmSteps(const ClippedSstmOptions& options,
                     double log_term,
                     double radius,
                     const Vector& start)
    : smoothness_(options.smoothness),
      a_(step_parameter(options, log_term, radius)),
      clip_(options.mode == SstmMode::theory ? radius / (30 * log_term) : radius),
      y_(start),
      z_(start),
      x_(start.size()),
      gradient_(start.size()) {}

void SstmSteps::step(GradientOracle& oracle) {
  const double step = (static_cast<double>(steps_) + 2) / (2 * a_ * smoothness_);  // a_{k+1}
  const double before = total_;
  total_ += step;
  ++steps_;
  x_ = (before * y_ + step * z_) / total_;
  oracle.call(x_, gradient_);
  const double norm = gradient_.norm();
  const double limit = clip_ / step;  // lambda_k
  z_ -= (norm > limit ? step * limit / norm : step) * gradient_;
  y_ = (before * y_ + step * z_) / total_;
}

ClippedSstm::ClippedSstm(GradientOracle oracle, Vector start, const ClippedSstmOptions& options)
    : Optimizer(std::move(start)),
      oracle_(std::move(oracle)),
      options_(options),
      run_(options,
           math::log(4 * static_cast<double>(options.horizon) / options.beta),
           options.radius,
           point_) {
  check(options);
}

void ClippedSstm::advance() {
  run_.step(oracle_);
  point_ = run_.y();
  value_ = oracle_.value(point_);
  const auto& o = options_;
  if (o.mode != SstmMode::shorthand) {
    bound_ = guarantee(run_, o.smoothness, o.radius);
    return;
  }
  const auto k = static_cast<double>(steps());
  bound_ = std::max(o.smoothness * o.radius * o.radius / (k * k),
                    o.noise * o.radius / math::pow(k, 1 - 1 / o.alpha)) *
           math::log(1 / o.beta);
}

RestartedSstm::RestartedSstm(GradientOracle oracle,
                             Vector start,
                             const RestartedSstmOptions& options)
    : Optimizer(std::move(start)),
      oracle_(std::move(oracle)),
      options_(options),
      stages_(std::max(1.0,
                       std::ceil(math::log2(options.strong_convexity * options.run.radius *
                                            options.run.radius / (2 * options.accuracy))))),
      run_(begin_stage(point_)) {
  check(options.run);
  POSSE_CHECK(options.strong_convexity > 0 && options.accuracy > 0,
              "mu = {}, eps = {}",
              options.strong_convexity,
              options.accuracy);
  value_ = std::numeric_limits<double>::infinity();
}

double RestartedSstm::stage_length(double radius) const {
  const auto& o = options_.run;
  const double accuracy = options_.strong_convexity * radius * radius / 4;
  const double power = o.alpha / (o.alpha - 1);
  const double noise = o.noise * radius / accuracy;
  if (o.mode != SstmMode::theory)
    return std::max(1.0,
                    std::ceil(options_.practical_k *
                              std::max(std::sqrt(o.smoothness * radius * radius / accuracy),
                                       math::pow(noise, power))));
  const double root = std::sqrt(o.smoothness * radius * radius / accuracy);
  const double smooth = 1080 * root * math::log(2160 * root * stages_ / o.beta);
  if (noise == 0) return std::ceil(smooth);
  const double noisy = 2 * math::pow(10800 * noise, power) *
                       math::log(4 * stages_ / o.beta * math::pow(5400 * noise, power));
  return std::ceil(std::max(smooth, noisy));
}

SstmSteps RestartedSstm::begin_stage(const Vector& start) {
  ++stage_;
  const auto& o = options_.run;
  radius_ = o.radius * math::exp2(-static_cast<double>(stage_ - 1) / 2);
  // Stages of more than 2^53 steps count as endless.
  length_ = static_cast<std::uint64_t>(std::min(stage_length(radius_), 0x1.0p53));
  ClippedSstmOptions stage = o;
  stage.horizon = length_;
  const double log_term = math::log(4 * static_cast<double>(length_) * stages_ / o.beta);
  return SstmSteps(
      stage, log_term, o.mode == SstmMode::theory ? radius_ / std::sqrt(2.0) : radius_, start);
}

void RestartedSstm::advance() {
  if (run_.steps() == length_) run_ = begin_stage(run_.y());
  run_.step(oracle_);
  const double value = oracle_.value(run_.y());
  if (value < value_) {
    value_ = value;
    point_ = run_.y();
  }
  const auto& o = options_.run;
  if (o.mode != SstmMode::shorthand) {
    bound_ = std::min(bound_, guarantee(run_, o.smoothness, radius_));
    return;
  }
  const auto k = static_cast<double>(steps());
  const double mu = options_.strong_convexity;
  bound_ = std::max(math::exp(-k * std::sqrt(mu / o.smoothness)),
                    o.noise * o.noise / mu * math::pow(k, -2 * (o.alpha - 1) / o.alpha)) *
           math::log(1 / o.beta);
}

}  // namespace posse
