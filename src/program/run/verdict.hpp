// SPDX-License-Identifier: Apache-2.0
// Whether a measured value keeps its bound, and whether the bound says anything at all.
#pragma once

#include <string_view>

#include "core/role/measurement.hpp"
#include "core/role/outcome.hpp"
#include "program/scenario/scenario.hpp"

namespace posse {

/// The largest values that a run can show, whatever its algorithm does.
struct WorstCase {
  double regret = 1;       // of one evaluation
  double evaluations = 0;  // per client; 0 where nothing is evaluated
};
/// The regret is the width of the range of the scenario's objective (infinite where no range is
/// known), and 1 without an objective; that of functional bandits is infinite, because their
/// functions have no common range. The evaluations are those of the client that made most.
WorstCase worst_case(const Scenario& scenario, const RunOutcome& outcome);

/// True for a bound that no possible outcome could exceed, so that keeping it shows nothing:
///   an upper bound on a cumulative regret per client  >= worst.regret * worst.evaluations
///   an upper bound on a simple regret                 >= worst.regret
///   an upper bound on the number of rounds            >= worst.evaluations
/// Quantities are recognised by their names. False for all others, for identities and lower bounds,
/// for bounds that do not apply or have an unknown constant, and where nothing is evaluated.
bool is_vacuous(const Measurement& measurement, const WorstCase& worst);

/// False without a bound, for a bound that does not apply, and for one with an unknown constant.
bool is_judged(const Measurement& measurement);
/// True for a value beyond its bound, or different from what it must equal, if that is judged.
bool exceeds_bound(const Measurement& measurement);

/// held | exceeded | violated | vacuous | not judged. A value beyond its bound is never vacuous.
std::string_view verdict(const Measurement& measurement, const WorstCase& worst = {});

}  // namespace posse
