// SPDX-License-Identifier: Apache-2.0
#include "actors/common/bound_conditions.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/theory/assumption_a.hpp"

namespace posse {

void does_not_apply(Bound& bound, std::string_view reason) {
  bound.note += bound.kind == BoundKind::does_not_apply ? ", " : "; does not apply: ";
  bound.note += reason;
  bound.kind = BoundKind::does_not_apply;
}

void require_unit_range(const Problem& problem, Bound& bound) {
  const double width = problem.noise().range_width();
  if (width > 1)
    does_not_apply(bound,
                   fmt::format("the noise has range {}, Hoeffding's inequality needs 1", width));
}

void require_unit_regret(const Problem& problem, const RunOutcome& outcome, Bound& bound) {
  constexpr double kRounding = 1e-9;
  const ValueRange range = problem.value_range();
  const double width = range.high - range.low, seen = outcome.regret.largest;
  if (!std::isfinite(width))
    does_not_apply(
        bound,
        "the range of the objective's values is unknown, and the bound takes at most 1 for "
        "the regret of an evaluation");
  else if (width > 1 + kRounding)
    does_not_apply(bound,
                   fmt::format("the objective's values have a range of {:.4g}, and the bound takes "
                               "at most 1 for the regret of an evaluation",
                               width));
  else if (seen > 1 + kRounding)
    does_not_apply(
        bound,
        fmt::format("an evaluation had a regret of {:.4g}, and the bound takes at most 1 "
                    "for it",
                    seen));
}

bool require_fixed_points(const Partition& partition, Bound& bound) {
  if (partition.point_kind() != PointKind::uniform) return true;
  does_not_apply(bound, "points are drawn at every pull, (A) concerns one point per cell");
  return false;
}

void require_assumption_a(const Problem& problem,
                          const Partition& partition,
                          double nu1,
                          double rho,
                          std::uint32_t deepest,
                          Bound& bound) {
  if (require_fixed_points(partition, bound) &&
      theory::assumption_a_fails_at(problem, partition, nu1, rho, deepest))
    does_not_apply(bound, "assumption (A) fails");
}

}  // namespace posse
