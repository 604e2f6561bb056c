// SPDX-License-Identifier: Apache-2.0
// The base optimizers by name, and arms made of a function and one of them.
//
// Here it is checked whether an optimizer suits a function, its set and its oracle, with messages
// for the user. The constants L, M and mu come from the function.
//   agd, agd-strong                 smooth f (and mu > 0), on all of R^d, exact gradients
//   pgd, pgd-horizon, pgd-strong    M-Lipschitz f (and mu > 0), any set, exact subgradients
//   triple-averaging                M-Lipschitz f, any set, exact subgradients
//   triple-averaging-coded          as in the code of Dorn et al. 2025; g is not a bound
//   ac-sa, ac-sa-strong             smooth or M-Lipschitz f (M is doubled for nonsmooth f: see
//                                   ac_sa.hpp); -strong: smooth f and mu > 0
//   ac-sa-coded                     as in the code of Dorn et al. 2025; g is not a bound
//   clipped-sstm-theory, -practical, -shorthand             smooth f, on all of R^d
//   r-clipped-sstm-theory, -practical, -shorthand           smooth f, mu > 0, on all of R^d
// Streams: `oracle/NAME`, `oracle/NAME/copy-C` for the fresh instances C = 1, 2, …
#pragma once

#include <string>
#include <string_view>

#include "core/arm/arm.hpp"
#include "core/base/parameters.hpp"
#include "core/function/feasible_set.hpp"
#include "core/optimizer/gradient_noise.hpp"
#include "core/optimizer/optimizer.hpp"

namespace posse {

/// The problem and the settings of a base optimizer.
struct BaseProblem {
  std::string name;  // of the arm: names its streams
  std::shared_ptr<const ConvexFunction> function;
  FeasibleSet set = FeasibleSet::space(1);
  Vector start;       // in the set
  double radius = 1;  // R >= |start - x*|, > 0
  GradientNoise noise;
  Seed seed;
  double delta = 0;           // failure probability of bounds that have one; 0: in expectation
  std::uint64_t horizon = 1;  // T, for optimizers that need it
  double accuracy = 1e-3;     // eps, of restarts
  std::optional<double> practical_a, practical_k;  // c_a and c_K; defaults: from alpha; 0.1
  /// Replaces the function's own M, for the coded forms.
  std::optional<double> lipschitz;
};

struct BaseOptimizerSpec {
  std::string_view name;
  std::string_view summary;
  // Requirements:
  bool smooth = false;      // L
  bool lipschitz = false;   // M
  bool strong = false;      // mu > 0
  bool everywhere = false;  // no constraints
  bool exact = false;       // no noise
};
const std::vector<BaseOptimizerSpec>& base_optimizers();

/// Throws InputError for the parameter `optimizer` if it does not suit the problem.
void check_base_optimizer(std::string_view optimizer, const BaseProblem& problem);

/// Dorn et al. 2025, section 1: min(1/2, 1/(K T^2 A)), where A = `largest` >= max(1, sup f) (see
/// PAPERS.md, f-lcb-9).
double clean_event_delta(std::uint32_t arms, std::uint64_t budget, double largest);

/// Makes the optimizer. `optimizer` must suit the problem.
std::unique_ptr<Optimizer> make_base_optimizer(std::string_view optimizer,
                                               const BaseProblem& problem,
                                               std::uint32_t instance);

/// The arm for this problem. Throws as check_base_optimizer does.
Arm make_arm(std::string_view optimizer,
             const std::shared_ptr<const BaseProblem>& problem,
             std::optional<double> minimum);

}  // namespace posse
