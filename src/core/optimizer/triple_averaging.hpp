// SPDX-License-Identifier: Apache-2.0
// The subgradient method with triple averaging. Its bound holds for the last iterate.
//
// Source: Nesterov & Shikhman 2015; used by Dorn et al. 2025, sections 4 and 5.2. Prox function
// |x - x0|^2/2; S is the running sum of subgradients. Step t = k - 1 = 0, 1, …:
//   observe f(x_t); S += f'(x_t); gamma_t = gamma sqrt(t+1); x+ = Proj(x0 - S/gamma_t)
//   xhat = (gamma_t/gamma_{t+1}) x+ + (1 - gamma_t/gamma_{t+1}) x0
//   x_{t+1} = (t+1)/(t+2) x_t + xhat/(t+2)
// gamma = sqrt2 M/R gives g(k) = sqrt2 M R/sqrt k, R >= |x0 - x*|. `as_coded` follows the code of
// Dorn et al., which has gamma = M, x+ = Proj(x0 - (t+2) S/gamma_t) and g(k) = 2 M R/sqrt k: it
// reproduces their figure, but its g is not a bound (see PAPERS.md, f-lcb-14). Exact subgradients.
// Cost per step: one subgradient, one projection.
#pragma once

#include "core/function/feasible_set.hpp"
#include "core/optimizer/gradient_noise.hpp"
#include "core/optimizer/optimizer.hpp"

namespace posse {

struct TripleAveragingOptions {
  double lipschitz = 1;  // M > 0
  double radius = 1;     // R > 0
  bool as_coded = false;
};

class TripleAveraging final : public Optimizer {
 public:
  TripleAveraging(GradientOracle oracle,
                  FeasibleSet set,
                  Vector start,
                  const TripleAveragingOptions& options);

 private:
  void advance() override;

  GradientOracle oracle_;
  FeasibleSet set_;
  TripleAveragingOptions options_;
  Vector start_, next_, sum_, gradient_;
};

}  // namespace posse
