// SPDX-License-Identifier: Apache-2.0
// Conditions under which a bound applies to a run. A bound whose condition fails becomes
// `does_not_apply`, and its note gets the reason.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/domain/partition.hpp"
#include "core/objective/problem.hpp"
#include "core/role/measurement.hpp"
#include "core/role/outcome.hpp"

namespace posse {

/// Marks the bound as one that does not apply, and adds the reason to its note.
void does_not_apply(Bound& bound, std::string_view reason);

/// Hoeffding's inequality: the noise has a range of at most 1.
void require_unit_range(const Problem& problem, Bound& bound);

/// One evaluation costs a regret of at most 1: the values of an objective have a range of at most
/// 1, as far as it is known (Objective::value_range) and as the run has seen.
void require_unit_regret(const Problem& problem, const RunOutcome& outcome, Bound& bound);

/// (A) concerns one point per cell. False if the partition draws a point at every pull.
bool require_fixed_points(const Partition& partition, Bound& bound);

/// Fixed points, and (A) for f̄ at the depths 0 … `deepest`.
void require_assumption_a(const Problem& problem,
                          const Partition& partition,
                          double nu1,
                          double rho,
                          std::uint32_t deepest,
                          Bound& bound);

}  // namespace posse
