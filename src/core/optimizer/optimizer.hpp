// A base optimizer of a functional bandit's arm: makes steps and carries its own certificate.
//
// After k steps it has a value f(x) observed at the iterate that carries the guarantee, and a bound
// g(k) >= f(x) - f*, decreasing in k (paper 004, section 2). One step is one call of the oracle.
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
  /// The iterate that carries the guarantee.
  const Vector& point() const { return point_; }

 protected:
  explicit Optimizer(Vector start) : point_(std::move(start)) {}
  /// Step number steps(), from 1: updates point_, value_ and bound_.
  virtual void advance() = 0;

  double value_ = 0;
  double bound_ = std::numeric_limits<double>::infinity();
  Vector point_;

 private:
  std::uint64_t steps_ = 0;
};

}  // namespace posse
