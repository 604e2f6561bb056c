// How often FN-UCB synchronises, at most.
#pragma once

#include <cstddef>
#include <cstdint>

namespace posse::theory {

struct FnUcbParameters {
  std::uint64_t agents = 1;   // M
  std::uint64_t steps = 1;    // T
  std::size_t features = 1;   // p
  double lambda = 0.1;        // > 0
  double largest_square = 1;  // max |g|^2 over the arms
  double sync_threshold = 0;  // D >= 0
};

/// Always: at most T - 1 (the criterion is 0 at t = 0), and for D > 0 at most sqrt((T - 1) R / D)
/// with R = p ln(1 + M T max |g|^2 / (lambda p)). Ours, by the argument of distributed linear
/// bandits (Wang et al. 2020): synchronisation s comes l_s steps after the one before, so its
/// criterion says that ln det (or the diagonal's ln product) grew by more than D / l_s; these
/// growths add up to R at most (the mean of eigenvalues, or of the diagonal, bounds their geometric
/// mean), the l_s to T - 1, and S^2 <= (sum l_s)(sum 1 / l_s).
std::uint64_t fn_ucb_syncs_ceiling(const FnUcbParameters& p);

}  // namespace posse::theory
