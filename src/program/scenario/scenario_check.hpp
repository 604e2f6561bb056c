// What can only be said of a scenario as a whole: parameters that must fit together, clients and
// repetitions that a file lacks, names of nodes and message types that no algorithm here has.
#pragma once

#include "program/scenario/scenario.hpp"

namespace posse {

/// `scenario` has been read without mistakes; `network` is where its [network] is, or would be.
void check_scenario(const Scenario& scenario,
                    const SourceLocation& network,
                    Diagnostics& diagnostics);

}  // namespace posse
