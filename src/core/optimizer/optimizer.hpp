// SPDX-License-Identifier: Apache-2.0
// Interface of base optimizers: an optimizer makes steps and carries a bound on its error.
//
// After k steps it has a value f(x) at the iterate for which the bound holds, and the bound
// g(k) >= f(x) - f*, decreasing in k (Dorn et al. 2025, section 4, Definition 1). One step is one
// call of the oracle.
#pragma once

#include <cstdint>
#include <limits>
#include <utility>

#include "core/function/convex_function.hpp"

namespace posse {

class Optimizer {
 public:
  virtual ~Optimizer() = default;

  void step() {
    ++steps_;
    advance();
  }
  /// k.
  std::uint64_t steps() const { return steps_; }
  /// f at `point()`; meaningless before the first step.
  double value() const { return value_; }
  /// g(k); +infinity before the first step.
  double bound() const { return bound_; }
  /// The iterate for which the bound holds.
  const Vector& point() const { return point_; }

 protected:
  explicit Optimizer(Vector start) : point_(std::move(start)) {}
  /// Makes step number steps(), from 1: updates point_, value_ and bound_.
  virtual void advance() = 0;

  double value_ = 0;
  double bound_ = std::numeric_limits<double>::infinity();
  Vector point_;

 private:
  std::uint64_t steps_ = 0;
};

}  // namespace posse
