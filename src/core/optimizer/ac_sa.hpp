// SPDX-License-Identifier: Apache-2.0
// Accelerated stochastic approximation for noisy gradients of smooth or Lipschitz functions.
//
// Source: Lan, "First-order and Stochastic Optimization Methods" (2020), section 4.2; used by Dorn
// et al. 2025, section 5.3 and Appendix B.3.
//   low = (1-q_t) u_{t-1} + q_t x_{t-1};  u_0 = x_0 the start;  observed: f(u_t)
//   x_t = Proj((x_{t-1} + mu gamma_t low - gamma_t G(low))/(1 + mu gamma_t))
//   u_t = (1-a_t) u_{t-1} + a_t x_t,  a_t = 2/(t+1)
// Convex (Prop. 4.5): q_t = a_t, 1/gamma_t = 2L/t + gamma sqrt t,
//   g = 4 L V/(t(t+1)) + 2 gamma DX2/sqrt t + 4 sqrt2 (M^2 + s^2)/(3 gamma sqrt t), in expectation;
//   gamma = sqrt((2 sqrt2/3)(M^2 + s^2)/DX2), the minimiser of the bound
// Strongly convex (Prop. 4.6): 1/gamma_t = mu (t-1)/2 + 2L/t,
//   q_t = a_t/(a_t + (1-a_t)(1 + mu gamma_t)), g = 4 L V/(t(t+1)) + 4 (M^2 + s^2)/(mu (t+1)), and
//   with probability 1 - 2 delta: + (2 s R/sqrt(3t) + 4 s^2/(mu t)) ln(1/delta)
// V = R^2/2, R >= |x_0 - x*|, DX2 = max |x - x_0|^2/2 over the points x to which Proj leads, s^2 >=
// E|noise|^2. Where DX2 matters (mu = 0, M or s > 0), Proj leads to the set's intersection with the
// ball of radius R around x_0, which contains x*; so DX2 <= R^2/2. Departures from Dorn et al.
// 2025: see PAPERS.md, f-lcb-15 to f-lcb-17 and f-lcb-23. `as_coded` is their code: the set alone,
// R in place of V and DX2, M = 2, gamma = sqrt((M^2 + s^2)/R). Cost per step: one oracle call, one
// value, one projection.
#pragma once

#include "core/function/feasible_set.hpp"
#include "core/optimizer/gradient_noise.hpp"
#include "core/optimizer/optimizer.hpp"

namespace posse {

struct AcSaOptions {
  double smoothness = 0;  // L >= 0; L > 0 if mu > 0
  /// M >= 0 of the nonsmooth part: f(y) - f(x) - <f'(x), y - x> <= L/2 |y-x|^2 + M |y-x|, as in
  /// Lan's book. A nonsmooth function that is M_0-Lipschitz has M = 2 M_0.
  double lipschitz = 0;
  double strong_convexity = 0;  // mu >= 0
  double noise = 0;             // s
  double radius = 1;            // R > 0, at least |x_0 - x*|
  double delta =
      0;  // > 0: the strongly convex bound holds with probability 1 - 2 delta, else in expectation
  bool as_coded = false;
};

class AcSa final : public Optimizer {
 public:
  AcSa(GradientOracle oracle, FeasibleSet set, Vector start, const AcSaOptions& options);

 private:
  void advance() override;

  GradientOracle oracle_;
  FeasibleSet set_;
  AcSaOptions options_;
  double largest_ = 0;  // DX2
  double gamma_ = 0;
  /// Radius of the ball around the start.
  double reach_ = std::numeric_limits<double>::infinity();
  Vector start_, x_, low_, gradient_;
};

}  // namespace posse
