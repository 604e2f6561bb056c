// Reads [[fault]]: what happens to the network at given times.
#pragma once

#include "program/scenario/scenario.hpp"
#include "program/scenario/table_reader.hpp"

namespace posse {

/// `root` is the scenario; its algorithms are read already.
void read_faults(TableReader& root, Scenario& scenario, Diagnostics& diagnostics);

}  // namespace posse
