// SPDX-License-Identifier: Apache-2.0
// Accelerated gradient descent on an L-smooth convex function, unconstrained.
//
// Source: Dorn et al. 2025, section 4 (Tables 1 and 2), section 5.1 and Appendix B.2; convex:
// momentum of Su, Boyd & Candès 2016, bound of Taylor, Hendrickx & Glineur 2017; strongly convex:
// Nesterov's constant momentum (Bubeck 2015).
//   x_k = y_{k-1} - grad f(y_{k-1})/L,  y_0 = x_0;  observed: f(x_k)
//   convex           y_k = x_k + (k-1)/(k+2) (x_k - x_{k-1}),  g(k) = 2 L R^2/(k^2 + 5k + 6)
//   strongly convex  momentum (sqrt kappa - 1)/(sqrt kappa + 1), kappa = L/mu,
//                    g(k) = (L + mu)/2 R^2 exp(-k/sqrt kappa)
// R >= |x_0 - x*|. Exact gradients. Cost per step: one gradient, one value, O(d).
#pragma once

#include "core/optimizer/gradient_noise.hpp"
#include "core/optimizer/optimizer.hpp"

namespace posse {

struct AgdOptions {
  double smoothness = 1;        // L > 0
  double strong_convexity = 0;  // mu in [0, L]; 0: the convex method
  double radius = 1;            // R > 0
};

class Agd final : public Optimizer {
 public:
  Agd(GradientOracle oracle, Vector start, const AgdOptions& options);

 private:
  void advance() override;

  GradientOracle oracle_;
  AgdOptions options_;
  Vector y_, gradient_, next_;
};

}  // namespace posse
