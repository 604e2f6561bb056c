// What was done to runs from outside, kept so that they can be run again with it.
#pragma once

#include <string>

#include "program/run/runner.hpp"
#include "program/scenario/scenario.hpp"

namespace posse {

/// The scenario with every cut of links as a [[fault]] of the run that it was made in: running it
/// gives the same results, without anybody looking on.
Scenario with_cuts(const Scenario& scenario, const ScenarioResult& result);

bool any_interventions(const ScenarioResult& result);
/// run,virtual_s,action,groups: names with spaces between, groups with " | ".
std::string interventions_csv(const Scenario& scenario, const ScenarioResult& result);

}  // namespace posse
