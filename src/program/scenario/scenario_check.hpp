// Checks of a scenario as a whole: parameters that must fit together, clients and repetitions
// missing from a file, names of nodes and message types that no algorithm has.
#pragma once

#include "program/scenario/scenario.hpp"

namespace posse {

/// `scenario` must have been read without mistakes; `network` is the location of its [network].
void check_scenario(const Scenario& scenario,
                    const SourceLocation& network,
                    Diagnostics& diagnostics);

}  // namespace posse
