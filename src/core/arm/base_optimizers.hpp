// The base optimizers by name, and an arm made of a function and one of them.
//
// Whether an optimizer suits a function, its set and its oracle is decided here, in words for the
// user; the optimizers themselves only check. Constants L, M and mu come from the function.
//   agd, agd-strong                 smooth f (and mu > 0), on all of R^d, exact gradients
//   pgd, pgd-horizon, pgd-strong    M-Lipschitz f (and mu > 0), any set, exact subgradients
//   triple-averaging                M-Lipschitz f, any set, exact subgradients
//   triple-averaging-coded          as the paper's authors coded it; its bound isn't valid
//   ac-sa, ac-sa-strong             (M doubled where f has kinks: see ac_sa.hpp) smooth or
//   M-Lipschitz f (smooth and mu > 0); with noise a
//                                   bounded set, or mu > 0
//   ac-sa-coded                     as the paper's authors coded it
//   clipped-sstm-theory, -practical, -shorthand             smooth f, on all of R^d
//   r-clipped-sstm-theory, -practical, -shorthand           the same, mu > 0
// Streams: `oracle/NAME`, `oracle/NAME/copy-C` for the fresh instances C = 1, 2, …
#pragma once

#include <string>
#include <string_view>

#include "core/arm/arm.hpp"
#include "core/base/parameters.hpp"
#include "core/function/feasible_set.hpp"
#include "core/optimizer/gradient_noise.hpp"

namespace posse {

/// What a base optimizer works on, and what it is told.
struct BaseProblem {
  std::string name;  // of the arm: names its streams
  std::shared_ptr<const ConvexFunction> function;
  FeasibleSet set = FeasibleSet::space(1);
  Vector start;       // in the set
  double radius = 1;  // R >= |start - x*|, > 0
  GradientNoise noise;
  Seed seed;
  double delta = 0;           // failure probability of bounds that have one; 0: in mean
  std::uint64_t horizon = 1;  // T, of optimizers that know it
  double accuracy = 1e-3;     // eps, of restarts
  std::optional<double> practical_a, practical_k;  // c_a and c_K; none: from alpha, 0.1
  /// M in place of the function's own, for the coded forms.
  std::optional<double> lipschitz;
};

struct BaseOptimizerSpec {
  std::string_view name;
  std::string_view summary;
  // What it needs:
  bool smooth = false;      // L
  bool lipschitz = false;   // M
  bool strong = false;      // mu > 0
  bool everywhere = false;  // no constraints
  bool exact = false;       // no noise
};
const std::vector<BaseOptimizerSpec>& base_optimizers();

/// Throws InputError, to blame on `optimizer`, if it doesn't suit the problem.
void check_base_optimizer(std::string_view optimizer, const BaseProblem& problem);

/// Section 1: delta = 1/(K T^2 A), A >= sup f taken as at least 1; 1/2 where that is no
/// probability.
double clean_event_delta(std::uint32_t arms, std::uint64_t budget, double largest);

/// `optimizer` suits the problem.
std::unique_ptr<Optimizer> make_base_optimizer(std::string_view optimizer,
                                               const BaseProblem& problem,
                                               std::uint32_t instance);

/// The arm of this problem. Throws what check_base_optimizer does.
Arm make_arm(std::string_view optimizer,
             std::shared_ptr<const BaseProblem> problem,
             std::optional<double> minimum);

}  // namespace posse
