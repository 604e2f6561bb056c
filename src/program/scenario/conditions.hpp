// SPDX-License-Identifier: Apache-2.0
// Under which conditions a scenario's numbers were made, in a sentence for its tables.
#pragma once

#include <string>

#include "program/scenario/scenario.hpp"

namespace posse {

/// "garland with noise uniform (half_width 0.1); evaluation 1 ms; latency 20 ms one way, no loss,
/// datagrams; 2 faults".
std::string conditions_text(const Scenario& scenario);

}  // namespace posse
