// SPDX-License-Identifier: Apache-2.0
// The minimum of an empirical risk over its feasible set, with a certificate.
//
// Accelerated proximal gradient steps with restarts (Beck & Teboulle 2009; O'Donoghue & Candès
// 2015) find a point x. With F = f + l1 |.|_1, its error is at most the smaller of
//   f(x) - f* <= max_s <grad f(x), x - s> + l1 (|x|_1 - |s|_1) over the set, in closed form
//                (Frank & Wolfe). Without constraints and with l1 > 0 the set is |s|_1 <= F(0)/l1,
//                which contains every minimiser, since losses are not negative
//   |v|^2/(2 mu), where v is the subgradient of F at x with the smallest norm, without constraints
//                and with mu > 0
// Least squares and ridge regression without constraints are solved directly; their gap is the gain
// of one more correction of the solution.
// Nothing is returned if there is no certificate: a nonsmooth loss (absolute), no constraints with
// mu = l1 = 0 (a minimum may not exist, except for squares), or a solution that is not accurate
// enough. Cost: at most 20000 gradients, fewer for large data.
#pragma once

#include <optional>

#include "core/function/empirical_risk.hpp"

namespace posse {

struct RiskMinimum {
  Vector point;
  double value = 0;  // F at the point
  double gap = 0;    // F(point) - min F <= gap, at most 1e-9 (1 + |F|)
};

std::optional<RiskMinimum> minimise_risk(const EmpiricalRisk& risk, const FeasibleSet& set);

/// The certificate at x; infinite where there is none.
double certified_gap(const EmpiricalRisk& risk, const FeasibleSet& set, const Vector& x);

}  // namespace posse
