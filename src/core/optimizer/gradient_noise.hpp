// SPDX-License-Identifier: Apache-2.0
// Noise that a stochastic oracle adds to subgradients. Values have no noise.
//
//   none
//   gaussian    every coordinate N(0, sigma^2/d): E|noise|^2 = sigma^2 (Dorn et al. 2025,
//               section 5.3)
//   heavy-tail  a uniform direction times sigma ((theta - alpha)/theta)^{1/alpha} U^{-1/theta},
//               theta > alpha: E|noise|^alpha = sigma^alpha exactly, no moment of order theta
// Streams: `oracle/name`; draw number k belongs to the k-th call. Cost: O(d).
#pragma once

#include <cstdint>
#include <string_view>

#include "core/base/ids.hpp"
#include "core/function/convex_function.hpp"
#include "core/random/stream.hpp"

namespace posse {

enum class GradientNoiseKind { none, gaussian, heavy_tail };

struct GradientNoise {
  GradientNoiseKind kind = GradientNoiseKind::none;
  double sigma = 0;  // >= 0
  double alpha = 2;  // in (1, 2]: the moment that sigma bounds; 2 for gaussian
  double theta = 3;  // heavy_tail only, > alpha
};

/// A function whose subgradients carry noise.
class GradientOracle {
 public:
  /// `function` must outlive the oracle.
  GradientOracle(const ConvexFunction& function,
                 const GradientNoise& noise,
                 Seed seed,
                 std::string_view name);

  const ConvexFunction& function() const { return *function_; }
  const GradientNoise& noise() const { return noise_; }
  double value(const Vector& x) const { return function_->value(x); }
  /// A noisy subgradient at x; returns f(x), exact.
  double call(const Vector& x, Vector& gradient);
  std::uint64_t calls() const { return calls_; }

 private:
  const ConvexFunction* function_;
  GradientNoise noise_;
  StreamKey key_;
  Vector direction_;
  std::uint64_t calls_ = 0;
};

}  // namespace posse
