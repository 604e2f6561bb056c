// SPDX-License-Identifier: Apache-2.0
// The report of a run that cannot continue.
#pragma once

#include <string>
#include <vector>

#include "core/sim/world.hpp"

namespace posse {

/// Which nodes wait for what, from whom and since when, and which lost messages explain it, a line
/// each. If no event is left, the deciding nodes that have not finished and do not say what they
/// wait for are named, too, with the last message that each received and sent.
std::string stall_report(const World& world,
                         const std::vector<Worker*>& workers,
                         const RoleHost& host,
                         bool no_event_is_left);

}  // namespace posse
