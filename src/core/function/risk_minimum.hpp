// The minimum of an empirical risk over its feasible set, with a certificate.
//
// Solved by accelerated proximal gradient steps with restarts (Beck, Teboulle 2009; O'Donoghue,
// Candes 2015), certified at the point x found, F = f + l1 |.|_1, by the smaller of
//   f(x) - f* <= max_s <grad f(x), x - s> + l1 (|x|_1 - |s|_1) over the set, in closed form (Frank,
//                Wolfe). Without constraints and with l1 > 0 the set is |s|_1 <= F(0)/l1, which
//                holds every minimiser since losses aren't negative
//   |v|^2/(2 mu), v a subgradient of F at x of smallest norm, without constraints and with mu > 0
// Least squares and ridge regression without constraints are solved directly instead; their gap is
// what one more correction of the solution gains.
// Nothing is returned where there is no certificate: a loss with kinks of its own (absolute), no
// constraints with mu = l1 = 0 (a minimum may not exist; squares have one), or a solution that
// isn't accurate enough. Cost: at most 20000 gradients, fewer for large data.
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
