// SPDX-License-Identifier: Apache-2.0
// Whether a figure's scenario has what its claims are about: algorithms, arms, measures, swept
// keys.
#pragma once

#include <vector>

#include "program/reproduce/figures.hpp"
#include "program/scenario/diagnostics.hpp"
#include "program/scenario/scenario.hpp"
#include "program/sweep/sweep_plan.hpp"

namespace posse {

/// Reports algorithms of `only` that the scenario doesn't have.
void check_only(const PaperFigure& figure, const Scenario& scenario, Diagnostics& diagnostics);

/// Reports what the claims of a figure with one setting can't be judged by. The scenario is that of
/// the figure, with its `only`.
void check_figure(const PaperFigure& figure, const Scenario& scenario, Diagnostics& diagnostics);
/// Reports what the claims of a figure whose scenario has [sweep] can't be judged by.
void check_figure(const PaperFigure& figure, const SweepPlan& plan, Diagnostics& diagnostics);

}  // namespace posse
