// Reads [[fault]]: partitions of the network at given times.
#pragma once

#include "program/scenario/scenario.hpp"
#include "program/scenario/table_reader.hpp"

namespace posse {

/// `root` is the scenario; its algorithms must have been read.
void read_faults(TableReader& root, Scenario& scenario, Diagnostics& diagnostics);

}  // namespace posse
