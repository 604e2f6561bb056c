// SPDX-License-Identifier: Apache-2.0
// Why runs failed, for people.
#pragma once

#include <functional>
#include <string>

#include "program/run/runner.hpp"
#include "program/scenario/scenario.hpp"

namespace posse {

/// The status, the report and the violated bounds of the first runs that did not finish or violated
/// a bound, and how many more there are; empty if there are none. `reproduce`: the command that
/// repeats a run; may be empty.
std::string failures_text(const Scenario& scenario,
                          const ScenarioResult& result,
                          const std::function<std::string(const RunFigures&)>& reproduce = {});

}  // namespace posse
