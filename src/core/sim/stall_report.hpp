// SPDX-License-Identifier: Apache-2.0
// The report of a run that cannot continue.
#pragma once

#include <string>
#include <vector>

#include "core/sim/world.hpp"

namespace posse {

/// Which nodes wait for what, from whom and since when, and which lost messages explain it, a line
/// each; empty if no node waits.
std::string stall_report(const World& world,
                         const std::vector<Worker*>& workers,
                         const RoleHost& host);

}  // namespace posse
