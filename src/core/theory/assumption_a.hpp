// Whether smoothness constants fit the problem at hand: assumption (A) checked on the instance.
//
// (A): for every depth h, the cell that holds one fixed maximiser x* of f̄ has
// f̄(x_{h,i*}) >= f̄* - nu1 rho^h (Assumption 1 of Shang, Kaufmann, Valko 2018 at the representative
// point; implied by the assumptions of the parallel bandit's and Fed-PNE's papers). The guarantees
// of a run need it only at the depths the run has compared, which are few: so it is evaluated,
// not assumed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/domain/partition.hpp"
#include "core/objective/problem.hpp"

namespace posse::theory {

/// The first depth in 0 … deepest at which (A) fails for the problem's known maximiser of f̄;
/// nothing if it holds. O(deepest) evaluations of f̄. Where the maximum is only searched, its value
/// and point stand for f̄* and x*. A maximum by convention has no maximiser for which (A) could
/// hold: 0, without an evaluation.
std::optional<std::uint32_t> assumption_a_fails_at(const Problem& problem,
                                                   const Partition& partition,
                                                   double nu1,
                                                   double rho,
                                                   std::uint32_t deepest);

/// The same for client m's own objective f_m.
std::optional<std::uint32_t> local_assumption_a_fails_at(const Problem& problem,
                                                         const Partition& partition,
                                                         double nu1,
                                                         double rho,
                                                         std::uint32_t deepest,
                                                         std::size_t client);

}  // namespace posse::theory
