// SPDX-License-Identifier: Apache-2.0
#include "core/learner/relu_features.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/base/check.hpp"
#include "core/random/distributions.hpp"
#include "core/random/stream.hpp"

namespace posse {
namespace {

constexpr double kLargestWeight = 1e6;

double dot(std::span<const double> x, std::span<const double> y) {
  double sum = 0;
  for (std::size_t j = 0; j < x.size(); ++j) sum += x[j] * y[j];
  return sum;
}

/// Positions of b_k and a_k in theta.
struct Layout {
  std::size_t q;
  std::size_t width;
  Layout(std::size_t size, std::size_t inputs) : q(inputs), width(size / (inputs + 1)) {}
  std::span<const double> b(std::span<const double> theta, std::size_t k) const {
    return theta.subspan(k * q, q);
  }
  std::size_t a(std::size_t k) const { return width * q + k; }
};

}  // namespace

double relu_value(std::span<const double> theta, std::span<const double> inputs) {
  const Layout at(theta.size(), inputs.size());
  double value = 0;
  for (std::size_t k = 0; k < at.width; ++k)
    value += theta[at.a(k)] * std::max(0.0, dot(at.b(theta, k), inputs));
  return value;
}

void relu_gradient(std::span<const double> theta,
                   std::span<const double> inputs,
                   std::span<double> gradient) {
  const Layout at(theta.size(), inputs.size());
  for (std::size_t k = 0; k < at.width; ++k) {
    const double hidden = dot(at.b(theta, k), inputs);
    const bool on = hidden > 0;
    for (std::size_t j = 0; j < at.q; ++j)
      gradient[k * at.q + j] = on ? theta[at.a(k)] * inputs[j] : 0;
    gradient[at.a(k)] = on ? hidden : 0;
  }
}

ReluFeatures::ReluFeatures(const ArmPoints& arms, std::uint32_t width, Seed seed)
    : arms_(arms.size()), width_(width), inputs_(arms.dimension() + 1) {
  POSSE_CHECK(width >= 1);
  theta_.resize(width_ * (inputs_ + 1));
  DrawEngine draws(stream_key(seed, "net", "theta-0"), 0);
  for (auto& weight : theta_) weight = draw_normal(draws);

  inputs_of_.reserve(arms_ * inputs_);
  gradients_.resize(arms_ * size());
  std::map<std::vector<std::uint32_t>, std::uint32_t> patterns;
  const Layout at(size(), inputs_);
  for (std::uint32_t arm = 1; arm <= arms_; ++arm) {
    for (const double u : arms.unit_point(arm)) inputs_of_.push_back(u - 0.5);
    inputs_of_.push_back(1);
    const auto z = input(arm);
    relu_gradient(theta_, z, std::span(gradients_).subspan((arm - 1) * size(), size()));
    std::vector<std::uint32_t> on;
    for (std::uint32_t k = 0; k < width_; ++k)
      if (dot(at.b(theta_, k), z) > 0) on.push_back(k);
    const auto [it, is_new] = patterns.try_emplace(on, static_cast<std::uint32_t>(active_.size()));
    if (is_new) active_.push_back(std::move(on));
    pattern_.push_back(it->second);
  }
}

double ReluFeatures::largest_square() const {
  double largest = 0;
  for (std::uint32_t arm = 1; arm <= arms_; ++arm)
    largest = std::max(largest, dot(gradient(arm), gradient(arm)));
  return largest;
}

void ReluFeatures::values(std::span<const double> theta, std::span<double> out) const {
  for (std::uint32_t arm = 1; arm <= arms_; ++arm) out[arm - 1] = relu_value(theta, input(arm));
}

void ReluFeatures::quadratic_forms(std::span<const double> matrix,
                                   std::span<double> out,
                                   std::vector<double>& work) const {
  const Layout at(size(), inputs_);
  const std::size_t q = inputs_;
  const std::size_t block = q * q;
  const std::size_t p = size();
  work.resize((width_ * width_ + active_.size()) * block);
  const std::span<double> blocks = std::span(work).first(width_ * width_ * block);
  const std::span<double> sums = std::span(work).subspan(blocks.size());

  // The part of g for an active unit k is C_k z with C_k = [a_k I; b_k^T]. This is C_k^T Q_kl C_l,
  // doubled for k < l to include (l, k).
  for (std::size_t l = 0; l < width_; ++l) {
    const auto b_l = at.b(theta_, l);
    const double a_l = theta_[at.a(l)];
    const double* of_a_l = &matrix[at.a(l) * p];  // column of a_l
    for (std::size_t k = 0; k <= l; ++k) {
      const auto b_k = at.b(theta_, k);
      const double a_k = theta_[at.a(k)];
      const double twice = k < l ? 2 : 1;
      double* to = &blocks[(l * width_ + k) * block];
      for (std::size_t j = 0; j < q; ++j) {
        const double* of_b_l = &matrix[(l * q + j) * p];  // column of b_l's number j
        const double on_a = a_l * of_b_l[at.a(k)] + of_a_l[at.a(k)] * b_l[j];
        for (std::size_t i = 0; i < q; ++i) {
          const double on_b = a_l * of_b_l[k * q + i] + of_a_l[k * q + i] * b_l[j];
          to[j * q + i] = twice * (a_k * on_b + b_k[i] * on_a);
        }
      }
    }
  }
  for (std::size_t s = 0; s < active_.size(); ++s) {
    const auto sum = sums.subspan(s * block, block);
    std::fill(sum.begin(), sum.end(), 0.0);
    for (std::size_t n = 0; n < active_[s].size(); ++n)
      for (std::size_t m = 0; m <= n; ++m) {
        const double* from = &blocks[(active_[s][n] * width_ + active_[s][m]) * block];
        for (std::size_t i = 0; i < block; ++i) sum[i] += from[i];
      }
  }
  for (std::uint32_t arm = 1; arm <= arms_; ++arm) {
    const auto z = input(arm);
    const double* sum = &sums[pattern_[arm - 1] * block];
    double form = 0;
    for (std::size_t j = 0; j < q; ++j)
      for (std::size_t i = 0; i < q; ++i) form += z[i] * sum[j * q + i] * z[j];
    out[arm - 1] = form;
  }
}

void ReluFeatures::train(std::span<double> theta,
                         std::span<const ArmRewards> rewards,
                         const ReluTraining& training) const {
  POSSE_CHECK(theta.size() == size() && rewards.size() == arms_);
  double count = 0;
  for (const auto& arm : rewards) count += arm.count;
  if (count == 0) return;
  const Layout at(size(), inputs_);
  std::vector<double> slope(size());
  std::vector<double> hidden(width_);
  for (std::uint32_t step = 0; step < training.steps; ++step) {
    std::fill(slope.begin(), slope.end(), 0.0);
    for (std::uint32_t arm = 1; arm <= arms_; ++arm) {
      const auto& seen = rewards[arm - 1];
      if (seen.count == 0) continue;
      const auto z = input(arm);
      double value = 0;
      for (std::size_t k = 0; k < width_; ++k) {
        hidden[k] = dot(at.b(theta, k), z);
        if (hidden[k] > 0) value += theta[at.a(k)] * hidden[k];
      }
      // Derivative of sum (net - r)^2 / count over the arm's rewards.
      const double error = 2 * (seen.count * value - seen.sum) / count;
      for (std::size_t k = 0; k < width_; ++k) {
        if (!(hidden[k] > 0)) continue;
        slope[at.a(k)] += error * hidden[k];
        const double to_b = error * theta[at.a(k)];
        for (std::size_t j = 0; j < at.q; ++j) slope[k * at.q + j] += to_b * z[j];
      }
    }
    for (std::size_t j = 0; j < size(); ++j) {
      slope[j] = theta[j] - training.rate * (slope[j] + training.decay * theta[j]);
      if (!(std::abs(slope[j]) <= kLargestWeight)) return;
    }
    std::copy(slope.begin(), slope.end(), theta.begin());
  }
}

}  // namespace posse
