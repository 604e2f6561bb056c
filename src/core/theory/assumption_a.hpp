// SPDX-License-Identifier: Apache-2.0
// Checks assumption (A), that smoothness constants fit the problem, on the instance at hand.
//
// (A): for every depth h, the cell that holds one fixed maximiser x* of f̄ has
// f̄(x_{h,i*}) >= f̄* - nu1 rho^h (Assumption 1 of Shang, Kaufmann & Valko 2018 at the representative
// point; implied by the assumptions of Chen et al. 2015 and Li et al. 2024, Fed-PNE). The
// guarantees of a run need (A) only at the depths that the run has compared. These are few, so it
// is evaluated there, not assumed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/domain/partition.hpp"
#include "core/objective/problem.hpp"

namespace posse::theory {

/// The first depth in 0 … deepest at which (A) fails for the problem's known maximiser of f̄;
/// nothing if it holds. O(deepest) evaluations of f̄. If the maximum was found by search, its value
/// and point are used for f̄* and x*. A maximum by convention has no maximiser: the result is 0,
/// without an evaluation.
std::optional<std::uint32_t> assumption_a_fails_at(const Problem& problem,
                                                   const Partition& partition,
                                                   double nu1,
                                                   double rho,
                                                   std::uint32_t deepest);

/// The first depth at which (A) fails for client m's own objective f_m, as in
/// assumption_a_fails_at.
std::optional<std::uint32_t> local_assumption_a_fails_at(const Problem& problem,
                                                         const Partition& partition,
                                                         double nu1,
                                                         double rho,
                                                         std::uint32_t deepest,
                                                         std::size_t client);

}  // namespace posse::theory
