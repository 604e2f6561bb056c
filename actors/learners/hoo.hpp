// SPDX-License-Identifier: Apache-2.0
// HOO and T-HOO as algorithms: one learner at a server for all clients, or one at every client.
//
// Learners and paper: core/learner/hoo.hpp, core/learner/t_hoo.hpp. Hosts and messages:
// central_learner.hpp, local_learner.hpp.
// Parameters: nu1 (default 1), rho (0.5), depth_slack (T-HOO only; 0, or 1 as in PyXAB), ties
// (lower), recommendation (uniform-play), placement, and those of the partition. The horizon of
// T-HOO is the budget n.
#pragma once

#include "core/role/protocol.hpp"

namespace posse {

const AlgorithmSpec& hoo_algorithm();
const AlgorithmSpec& t_hoo_algorithm();

}  // namespace posse
