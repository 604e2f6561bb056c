// SPDX-License-Identifier: Apache-2.0
// Ceiling on the number of synchronisations of FN-UCB (Dai et al., ICLR 2023). The ceiling is ours.
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

/// At most T - 1, since the criterion is 0 at t = 0. For D > 0 also at most sqrt((T - 1) R / D)
/// with R = p ln(1 + M T max |g|^2 / (lambda p)). Both always hold. The argument is that of
/// distributed linear bandits (Wang, Hu, Chen & Wang 2020). Let synchronisation s come l_s steps
/// after the one before. By its criterion, ln det (or the logarithm of the diagonal's product) has
/// grown by more than D / l_s. These growths sum to at most R, because the geometric mean of the
/// eigenvalues, or of the diagonal, is at most their mean. The l_s sum to at most T - 1, and the
/// number S of synchronisations satisfies S^2 <= (sum l_s)(sum 1 / l_s).
std::uint64_t fn_ucb_syncs_ceiling(const FnUcbParameters& p);

}  // namespace posse::theory
