// SPDX-License-Identifier: Apache-2.0
// Projected subgradient descent on an M-Lipschitz convex function.
//
// Source: Dorn et al. 2025, section 4 (Tables 1 and 2) and Appendix B.2; Bubeck 2015.
// x_{s+1} = Proj(x_s - eta_s f'(x_s)); f is observed at a weighted mean of x_1 .. x_k, where x_1 is
// the start.
//   anytime          eta_s = R/(M sqrt s), weights eta_s,
//                    g(k) = (R^2 + M^2 sum eta^2)/(2 sum eta)
//   known horizon T  eta = R/(M sqrt T), g(k) = R^2/(2 eta k) + eta M^2/2
//   strongly convex  eta_s = 2/(mu (s+1)), weights s, g(k) = 2 M^2/(mu (k+1))
// R >= |x_1 - x*|. Exact subgradients. Cost per step: one subgradient, one value, one projection.
#pragma once

#include <cstdint>

#include "core/function/feasible_set.hpp"
#include "core/optimizer/gradient_noise.hpp"
#include "core/optimizer/optimizer.hpp"

namespace posse {

struct PgdOptions {
  double lipschitz = 1;         // M > 0
  double strong_convexity = 0;  // mu >= 0; above 0: the strongly convex method
  double radius = 1;            // R > 0
  std::uint64_t horizon = 0;    // T; 0: anytime
};

class Pgd final : public Optimizer {
 public:
  Pgd(GradientOracle oracle, FeasibleSet set, Vector start, const PgdOptions& options);

 private:
  void advance() override;

  GradientOracle oracle_;
  FeasibleSet set_;
  PgdOptions options_;
  Vector x_, gradient_;
  double weights_ = 0;        // sum of the weights
  double squared_steps_ = 0;  // sum of eta^2
};

}  // namespace posse
